package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.http.json.StrictJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tables of docs/reference and the OpenAPI documents name the same fields, values and limits. */
class ReferenceTablesTest {
    private static final JsonNode DOCUMENT = document();
    private static final Pattern NAME = Pattern.compile("`([a-z_]+(?:\\[])?(?:\\.[a-z_]+)*)`");
    private static final Pattern VALUE = Pattern.compile("`([A-Za-z_.]+)`");
    private static final Pattern LENGTHS = Pattern.compile("([\\d,]+) to ([\\d,]+) characters");
    private static final Pattern MAX_LENGTH = Pattern.compile("(?<!of )at most ([\\d,]+) characters");
    private static final Pattern MAX_ITEMS = Pattern.compile("at most ([\\d,]+) [^.;]*URLs of at most ([\\d,]+)");
    private static final Pattern RANGE = Pattern.compile("`(\\w+)` is (\\d+) to ([\\d,]+), default ([\\d,]+)");

    /** The fields of objects; the rest of the section may show others, as JSON. */
    @ParameterizedTest
    @CsvSource({
        "api.md, ## Errors, Field, Problem",
        "api.md, ## Conversations, Field, Conversation",
        "api.md, ### POST /messages, Field, MessageRequest",
        "api.md, ### POST /workflows/{workflow_id}/trigger/sync, Field, TriggerRequest",
        "api.md, ### GET /workflow_instances, Field, WorkflowInstanceSummary",
        "messages.md, ## The message object, Field, Message",
        "media.md, ### POST /media/presigned-url, Request field, PresignedUrlRequest",
        "instances.md, ## The instance object, Field, WorkflowInstance",
        "instances.md, ## Reruns, Field, RerunRequest",
        "instances.md, ## History, Field, WorkflowInstanceLog",
        "keys-and-members.md, ## API keys, Field, ApiKey",
        "keys-and-members.md, ## API keys, Field, NewApiKey",
        "keys-and-members.md, ## Audit log, Field, AuditEntry",
        "tickets.md, ## The ticket object, Field, TicketDetails"
    })
    void fieldsAreThoseOfTheSchema(String page, String heading, String header, String name) {
        JsonNode schema = schema(name);
        String section = section(page, heading);
        boolean isRequest = name.equals("NewApiKey");
        for (List<String> row : table(section, header)) {
            for (String field : matches(NAME, row.getFirst())) {
                JsonNode property = member(schema, field);
                if (isRequest && property.isMissingNode()) {
                    continue; // Set by the service.
                }
                assertThat(property.isMissingNode())
                        .as(name + " has no " + field)
                        .isFalse();
                if (!name.equals("ApiKey")) { // Its limits are those of NewApiKey.
                    checkLimits(name + " " + field, String.join(" ", row), property);
                }
            }
        }
        boolean lists = name.equals("WorkflowInstanceSummary") || name.equals("Problem"); // In part; see their text.
        schema.get("properties").fieldNames().forEachRemaining(field -> assertThat(lists
                        || section.contains("`" + field + "`")
                        || section.contains("\"" + field + "\":")
                        || section.contains("/" + field + "`"))
                .as(page + " " + heading + " lacks " + field)
                .isTrue());
    }

    @ParameterizedTest
    @CsvSource({
        "api.md, ### GET /workflow_instances, /developer/api/workflow_instances",
        "tickets.md, ## Lists, /dashboard/api/organizations/{orgId}/tickets"
    })
    void parametersAreThoseOfTheOperation(String page, String heading, String path) {
        Set<String> listed = new TreeSet<>(Set.of("limit", "after"));
        for (List<String> row : table(section(page, heading), "Parameter")) {
            for (String name : matches(NAME, row.getFirst())) {
                listed.add(name);
                JsonNode schema = parameter(operation("get", path), name);
                checkLimits(name, String.join(" ", row), schema);
                resolve(schema).path("enum").forEach(value -> assertThat(row.get(1))
                        .contains("`" + value.asText() + "`"));
            }
        }
        assertThat(operation("get", path)
                        .get("parameters")
                        .valueStream()
                        .filter(one -> one.path("in").asText().equals("query"))
                        .map(one -> one.path("name").asText()))
                .containsExactlyInAnyOrderElementsOf(listed);
    }

    @ParameterizedTest
    @CsvSource({
        "messages.md, ## Types, `type`, MessageType",
        "instances.md, ## Statuses, Status, InstanceStatus",
        "instances.md, ## Task statuses, Status, TaskStatus",
        "instances.md, ## Attempts, `status`, AttemptStatus",
        "events.md, ## Event types, `type`, EventType",
        "events.md, ### Retries, State, DeliveryState"
    })
    void valuesAreThoseOfTheEnumeration(String page, String heading, String header, String name) {
        assertThat(table(section(page, heading), header).stream()
                        .flatMap(row -> matches(VALUE, row.getFirst()).stream()))
                .containsExactlyInAnyOrderElementsOf(schema(name)
                        .get("enum")
                        .valueStream()
                        .map(JsonNode::asText)
                        .toList());
    }

    @Test
    void bodiesOfTicketActionsAreThoseOfTheOperations() {
        for (List<String> row : table(section("tickets.md", "## Actions"), "Action")) {
            String action =
                    matches(Pattern.compile("`([a-z-]+)`"), row.getFirst()).getFirst();
            JsonNode body = operation("post", "/dashboard/api/organizations/{orgId}/tickets/{ticketId}/" + action)
                    .at("/requestBody/content/application~1json/schema");
            List<String> fields = matches(Pattern.compile("^`\\{([a-z_, ]+)"), row.get(1)).stream()
                    .flatMap(names -> Stream.of(names.split(", ")))
                    .toList();
            assertThat(resolve(body).path("properties").fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrderElementsOf(fields);
            if (!fields.isEmpty()) {
                checkLimits(action, row.get(1), member(resolve(body), fields.getFirst()));
            }
        }
    }

    @Test
    void rangesInTheTextOfOperationsAreThoseOfTheirParameters() {
        String page = read(Path.of("../docs/reference/api.md"));
        List<MatchResult> headings = Pattern.compile("(?m)^### (GET|POST) (\\S+)$")
                .matcher(page)
                .results()
                .toList();
        int checked = 0;
        for (MatchResult heading : headings) {
            for (MatchResult range :
                    RANGE.matcher(section("api.md", heading.group())).results().toList()) {
                JsonNode schema = parameter(
                        operation(
                                heading.group(1).toLowerCase(java.util.Locale.ROOT),
                                "/developer/api" + heading.group(2)),
                        range.group(1));
                assertThat(List.of(
                                schema.path("minimum").asInt(),
                                schema.path("maximum").asInt(),
                                schema.path("default").asInt()))
                        .as(heading.group())
                        .containsExactly(number(range.group(2)), number(range.group(3)), number(range.group(4)));
                checked++;
            }
        }
        assertThat(checked).isGreaterThanOrEqualTo(3);
    }

    private static void checkLimits(String name, String text, JsonNode found) {
        JsonNode schema = resolve(found);
        LENGTHS.matcher(text).results().findFirst().ifPresent(limits -> {
            assertThat(schema.path("minLength").asInt()).as(name).isEqualTo(number(limits.group(1)));
            assertThat(schema.path("maxLength").asInt()).as(name).isEqualTo(number(limits.group(2)));
        });
        MAX_LENGTH.matcher(text).results().findFirst().ifPresent(limit -> assertThat(
                        schema.path("maxLength").asInt())
                .as(name)
                .isEqualTo(number(limit.group(1))));
        MAX_ITEMS.matcher(text).results().findFirst().ifPresent(limits -> {
            assertThat(schema.path("maxItems").asInt()).as(name).isEqualTo(number(limits.group(1)));
            assertThat(resolve(schema.path("items")).path("maxLength").asInt())
                    .as(name)
                    .isEqualTo(number(limits.group(2)));
        });
    }

    private static int number(String text) {
        return Integer.parseInt(text.replace(",", ""));
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    /** The text from a heading to the next one of its level or above. */
    private static String section(String page, String heading) {
        String text = "\n" + read(Path.of("../docs/reference", page));
        int start = text.indexOf("\n" + heading + "\n");
        assertThat(start).as(page + " " + heading).isNotNegative();
        int level = heading.indexOf(' ');
        String after = text.substring(start + heading.length() + 1);
        return Pattern.compile("(?m)^#{1," + level + "} ").split(after, 2)[0];
    }

    /** The rows of the table whose first column has this header. */
    private static List<List<String>> table(String section, String header) {
        List<String> lines = section.lines()
                .dropWhile(line -> !line.startsWith("| " + header + " |"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();
        assertThat(lines).as(header).isNotEmpty();
        return lines.stream()
                .map(line -> Stream.of(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private static JsonNode schema(String name) {
        JsonNode schema = DOCUMENT.at("/components/schemas/" + name);
        assertThat(schema.isMissingNode()).as(name).isFalse();
        return schema;
    }

    /** The operation of a path, whatever the names of its parameters are. */
    private static JsonNode operation(String method, String path) {
        return DOCUMENT.get("paths")
                .propertyStream()
                .filter(one -> shape(one.getKey()).equals(shape(path)))
                .map(one -> one.getValue().path(method))
                .findFirst()
                .orElseThrow(() -> new AssertionError(method + " " + path));
    }

    private static String shape(String path) {
        return path.replaceAll("\\{[^}]+}", "{}");
    }

    private static JsonNode parameter(JsonNode operation, String name) {
        return operation
                .get("parameters")
                .valueStream()
                .filter(one -> one.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name))
                .get("schema");
    }

    /** A member by its path, such as {@code tasks[].error}. */
    private static JsonNode member(JsonNode schema, String path) {
        JsonNode found = schema;
        for (String step : path.split("\\.", -1)) {
            found = resolve(found).path("properties").path(step.replace("[]", ""));
            if (step.endsWith("[]")) {
                found = resolve(found).path("items");
            }
        }
        return found;
    }

    /** The schema without reference and null. */
    private static JsonNode resolve(JsonNode schema) {
        if (schema.has("anyOf")) {
            return resolve(schema.get("anyOf").get(0));
        }
        return schema.has("$ref")
                ? resolve(DOCUMENT.at(schema.get("$ref").asText().substring(1)))
                : schema;
    }

    private static JsonNode document() {
        try {
            ObjectNode all = (ObjectNode) StrictJson.mapper().readTree(read(Path.of("../docs/openapi.json")));
            JsonNode dashboard = StrictJson.mapper().readTree(read(Path.of("../docs/openapi-dashboard.json")));
            all.withObject("/paths").setAll((ObjectNode) dashboard.get("paths"));
            all.withObject("/components/schemas").setAll((ObjectNode) dashboard.at("/components/schemas"));
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
