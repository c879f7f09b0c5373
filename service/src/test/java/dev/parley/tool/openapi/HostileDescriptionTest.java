package dev.parley.tool.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.CpuTime;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolFailure;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Descriptions of at most 16 MiB that would take hours, or more memory than there is. */
class HostileDescriptionTest {
    private static final String GET = "\"get\": {\"operationId\": \"get\"}";

    @Test
    void variablesOfServersThatRepeatEachOtherAreRefused() {
        String variables = IntStream.range(0, 60)
                .mapToObj(i -> "\"v%d\": {\"default\": \"{v%d}{v%d}\"}".formatted(i, i + 1, i + 1))
                .collect(Collectors.joining(","));
        assertThatThrownBy(() -> read("\"servers\": [{\"url\": \"https://example.com/{v0}\", \"variables\": {"
                        + variables + "}}], \"paths\": {\"/a\": {" + GET + "}}"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("too long");
    }

    @Test
    void manySlashesAreRemovedInLinearTime() {
        assertThat(cpuTime(() -> read("\"servers\": [{\"url\": \"https://example.com/" + "/".repeat(1_000_000)
                        + "x\"}], \"paths\": {\"/a\": {" + GET + "}}")))
                .isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void manyReferencesToALargeSchemaAreNotAllWrittenOut() {
        String large = IntStream.range(0, 1_500)
                .mapToObj(i -> "\"p%d\": {\"type\": \"string\"}".formatted(i))
                .collect(Collectors.joining(","));
        String parameters = IntStream.range(0, 10_000)
                .mapToObj(
                        i -> "{\"in\": \"query\", \"name\": \"q%d\", \"schema\": {\"$ref\": \"#/large\"}}".formatted(i))
                .collect(Collectors.joining(","));
        String paths = IntStream.range(0, 10_000)
                .mapToObj(i -> "\"/a%d\": {\"$ref\": \"#/item\"}".formatted(i))
                .collect(Collectors.joining(","));
        assertThat(cpuTime(() -> {
                    ToolDiscovery found =
                            read("\"servers\": [{\"url\": \"https://example.com\"}], \"large\": {\"properties\": {"
                                    + large + "}}, \"item\": {\"parameters\": [" + parameters
                                    + "], \"get\": {}, \"put\": {}}, \"paths\": {" + paths + "}");
                    assertThat(found.tools()).isEmpty();
                }))
                .isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void manyReferencesToManyRequiredNamesAreNotAllWrittenOut() {
        String names =
                IntStream.range(0, 200_000).mapToObj(i -> "\"n" + i + "\"").collect(Collectors.joining(","));
        String members = IntStream.range(0, 1_500)
                .mapToObj(i -> "\"p%d\": {\"$ref\": \"#/large\"}".formatted(i))
                .collect(Collectors.joining(","));
        assertThat(cpuTime(() -> read("\"servers\": [{\"url\": \"https://example.com\"}], \"large\": {\"required\": ["
                        + names
                        + "], \"enum\": [" + names
                        + "]}, \"paths\": {\"/a\": {\"post\": {\"requestBody\": {\"content\": "
                        + "{\"application/json\": {\"schema\": {\"type\": \"object\", \"properties\": {" + members
                        + "}}}}}}}}")))
                .isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aliasesThatMultiplyAreRefused() {
        String large = "[" + "1,".repeat(450_000) + "1]";
        assertThatThrownBy(() -> OpenApiDescription.read(
                        "openapi: 3.0.0\npaths: {}\na: &a " + large + "\nb: [*a, *a, *a, *a, *a]\n"))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("too large");
    }

    @Test
    void yamlOfTooManyPartsIsRefused() {
        assertThatThrownBy(() -> OpenApiDescription.read("openapi: 3.0.0\npaths: {}\na:\n" + "- 1\n".repeat(850_000)))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("too large");
    }

    private static ToolDiscovery read(String members) throws ToolFailure {
        String text = "{\"openapi\": \"3.0.0\", " + members + "}";
        return new OperationReader(OpenApiDescription.read(text), null, null).read(null);
    }

    private static Duration cpuTime(CpuTime.Work<ToolFailure> work) {
        return CpuTime.of(() -> {
            try {
                work.run();
            } catch (ToolFailure _) {
                // Refused, which is quick too.
            }
        });
    }
}
