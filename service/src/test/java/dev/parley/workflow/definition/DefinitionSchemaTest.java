package dev.parley.workflow.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parley.http.json.StrictJson;
import dev.parley.workflow.definition.core.check.DefinitionValidator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DefinitionSchemaTest {
    private static final Path WRITTEN = Path.of("../docs/workflow-definition.schema.json");
    private static final Schema SCHEMA = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
            .getSchema(SchemaResource.SCHEMA, InputFormat.JSON);

    static List<String> examples() {
        return Examples.names();
    }

    @Test
    void theSchemaInTheDocsIsTheOneThatTheCodeMakes() throws Exception {
        String schema = SchemaResource.SCHEMA;
        if (Boolean.getBoolean("parley.write-docs")) {
            Files.writeString(WRITTEN, schema);
        }

        assertThat(Files.readString(WRITTEN))
                .as("docs/workflow-definition.schema.json; -Dparley.write-docs=true writes it")
                .isEqualTo(schema);
    }

    @Test
    void theSchemaIsOfItsMetaSchema() {
        assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                        .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"))
                        .validate(SchemaResource.SCHEMA, InputFormat.JSON))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleIsOfTheSchema(String name) {
        assertThat(SCHEMA.validate(Examples.json(name), InputFormat.JSON)).isEmpty();
    }

    @Test
    void optionalFieldsMayBeNull() {
        Map<String, Object> tree = Examples.tree("invoice-approval");
        JsonEdit.set(tree, "/description", null);
        JsonEdit.set(tree, "/dependencies", null);
        JsonEdit.set(tree, "/tasks/0/error_policy", null);
        for (String field : List.of("value", "items", "properties", "data_source", "data_lake_id", "required")) {
            JsonEdit.set(tree, "/tasks/0/input_parameters/0/" + field, null);
        }

        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors()).isEmpty();
        assertThat(SCHEMA.validate(StrictJson.write(tree), InputFormat.JSON)).isEmpty();
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("broken")
    void theValidatorRejectsWhatTheSchemaRejects(String example, String what, Consumer<Object> edit) {
        Map<String, Object> tree = Examples.tree(example);
        edit.accept(tree);

        assertThat(SCHEMA.validate(StrictJson.write(tree), InputFormat.JSON)).isNotEmpty();
        assertThat(DefinitionValidator.validate(tree, Examples.KNOWN).errors()).isNotEmpty();
    }

    static Stream<Arguments> broken() {
        String invoice = "invoice-approval";
        String order = "order-check";
        String currency = "currency-report";
        String in = "/tasks/0/input_parameters/0";
        return Stream.of(
                without(invoice, "/name"),
                without(invoice, "/assignment_rules"),
                with(invoice, "/assignment_rules", List.of()),
                with(invoice, "/assignment_rules/0/rule_type", "Feedback"),
                with(invoice, "/assignment_rules/0/assignment_type", "user"),
                with(invoice, "/assignment_rules/0/assignee_id", 3),
                without(invoice, "/assignment_rules/0/assignee_id"),
                with(invoice, "/assignment_rules/0/extra", 3),
                without(invoice, "/tasks"),
                with(invoice, "/tasks", List.of()),
                with(invoice, "/tasks/0", "extract"),
                with(invoice, "/name", "x".repeat(201)),
                with(invoice, "/name", " "),
                with(invoice, "/name", "Invoice\napproval"),
                with(invoice, "/tasks/0/name", "a\u202eb"),
                with(invoice, in + "/name", "\u0000"),
                with(invoice, "/tasks/0/expected_output/0/name", "a\tb"),
                with(invoice, "/descripton", "misspelt"),
                with(invoice, "/tasks/0/kind", "ai"),
                without(invoice, "/tasks/0/kind"),
                with(invoice, "/tasks/0/id", "Extract"),
                with(invoice, "/tasks/0/id", "x".repeat(65)),
                without(invoice, "/tasks/0/id"),
                without(invoice, "/tasks/0/instructions"),
                with(invoice, "/tasks/0/instructions", "x".repeat(65_537)),
                without(invoice, "/tasks/0/input_parameters"),
                without(invoice, "/tasks/0/expected_output"),
                with(invoice, "/tasks/0/error_policy", "STOP"),
                with(invoice, "/tasks/0/provider", "builtin"),
                with(invoice, "/tasks/1/input_parameters", "none"),
                without(invoice, in + "/name"),
                with(invoice, in + "/type", "NUMBER"),
                without(invoice, in + "/description"),
                with(invoice, in + "/required", "yes"),
                with(invoice, in + "/source", "user"),
                with(invoice, in + "/items", Map.of("type", "STRING")),
                with(invoice, in + "/properties", List.of()),
                with(invoice, in + "/value", 3),
                with(invoice, in + "/data_source", "DISK"),
                with(invoice, in + "/data_source", "DATA_LAKE"),
                without(invoice, "/tasks/0/expected_output/0/name"),
                with(invoice, "/tasks/0/expected_output/0/type", "ARRAY"),
                with(invoice, "/tasks/0/expected_output/0/required", true),
                with(invoice, "/connections/0/from", "extract"),
                without(invoice, "/connections/0/to/input"),
                with(invoice, "/connections/0/label", "x"),
                with(invoice, "/dependencies/0/to", 1),
                without(invoice, "/dependencies/0/from"),
                without(order, in + "/items"),
                without(order, in + "/items/properties"),
                with(order, in + "/properties", List.of()),
                with(order, in + "/value", "[]"),
                with(order, in + "/items/properties/0/type", "OBJECT"),
                without(order, in + "/items/properties/0/description"),
                without(order, "/tasks/0/input_parameters/3/items/items"),
                without(currency, "/tasks/0/provider"),
                without(currency, "/tasks/0/tool_name"),
                with(currency, "/tasks/0/tool_id", "1"),
                with(currency, "/tasks/0/tool_id", 0),
                with(currency, "/tasks/1/code_artifact_id", 2_147_483_648L),
                without(currency, "/tasks/1/code_artifact_id"),
                with("stock-forecast", "/tasks/0/input_parameters/0/type", "STRING"),
                without("stock-forecast", "/tasks/0/input_parameters/0/data_lake_id"));
    }

    private static Arguments without(String example, String pointer) {
        return Arguments.of(example, "without " + pointer, (Consumer<Object>) tree -> JsonEdit.remove(tree, pointer));
    }

    private static Arguments with(String example, String pointer, Object value) {
        String shown = String.valueOf(value);
        return Arguments.of(
                example,
                "with " + pointer + " = " + shown.substring(0, Math.min(20, shown.length())),
                (Consumer<Object>) tree -> JsonEdit.set(tree, pointer, value));
    }
}
