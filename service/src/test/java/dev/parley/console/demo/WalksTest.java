package dev.parley.console.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.settings.Settings;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs the scripts of {@code examples/} against the service, like a reader of the guides. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class WalksTest {
    private final Settings settings = Settings.load();

    @BeforeEach
    void announcePort() {
        DemoEnvFile.in(settings.storage().directory()).pointTo(new Api().base().replaceAll("/$", ""));
    }

    @Test
    void theDemoWalksFromAConversationToACompletedTicket() throws Exception {
        assertThat(run("node", "examples/walk.mjs"))
                .contains("Everything answered as it should.")
                .contains("\"status\": \"COMPLETED\"")
                .doesNotContain(DemoEnvFile.in(settings.storage().directory())
                        .read(DemoEnvFile.API_KEY)
                        .orElseThrow());
    }

    @Test
    void theStepsOfTheApiGuideWork() throws Exception {
        assertThat(run("sh", "examples/walk.sh"))
                .contains("AGENT_RESPONSE", "Example,12.50", "\"status\":\"COMPLETED\"")
                .doesNotContain("\"error\":\"");
    }

    @Test
    void theTutorialBuildsAnAgentWhoseTicketAPersonAnswers() throws Exception {
        assertThat(run("sh", "examples/tutorial.sh"))
                .contains("Offline model: The bolts arrived rusty.", "\"output\":{\"final_reply\":\"We are sorry");
    }

    @Test
    @Tag("all")
    void theWalkthroughCanBePasted() throws Exception {
        String blocks = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/walkthrough.md")))
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining());

        assertThat(run("sh", "-c", blocks))
                .contains("\"rule_type\":\"Exception\"", "422", "letter.pdf")
                .contains("\"to\":\"COMPLETED\"");
    }

    private String run(String... command) throws Exception {
        var builder =
                new ProcessBuilder(List.of(command)).directory(new File("..")).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PARLEY_"));
        builder.environment()
                .put(
                        "PARLEY_DATA",
                        settings.storage().directory().toAbsolutePath().toString());
        File output = File.createTempFile("walk", ".txt");
        output.deleteOnExit();
        Process process = builder.redirectOutput(output).start();
        int code = process.waitFor();
        String text = Files.readString(output.toPath(), StandardCharsets.UTF_8);
        assertThat(code).as(text).isZero();
        return text;
    }
}
