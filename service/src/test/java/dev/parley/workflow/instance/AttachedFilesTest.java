package dev.parley.workflow.instance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.WorkflowId;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The files of messages and triggers as sent to models. The offline model lists the files it received. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class AttachedFilesTest {
    private final Tenant tenant = Tenant.create();

    private static String file(Tenant owner, String name, String type, byte[] bytes) {
        return TestFiles.sent(owner, name, type, bytes).text("/metadata/file/uri");
    }

    private String png() {
        return file(tenant, "dot.png", "image/png", TestFiles.PNG);
    }

    private JsonNode run(WorkflowId workflow, String... urls) {
        return tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=60",
                        Map.of("human_msg", "Look", "file_urls", List.of(urls)))
                .expect(200)
                .json();
    }

    private static Map<String, Object> ai(Object... inputs) {
        return Map.of(
                "kind",
                "AI",
                "input_parameters",
                List.of(inputs),
                "expected_output",
                List.of(Workflows.output("answer", "STRING")));
    }

    private static Map<String, Object> fileUrls() {
        Map<String, Object> input =
                new LinkedHashMap<>(Workflows.input("file_urls", "ARRAY", "system_generated", false));
        input.put("items", Map.of("type", "STRING"));
        return input;
    }

    /** The answer in the latest attempt of each task. */
    private String answer(JsonNode instance, String task) {
        return tenant.get("/workflow_instances/"
                        + instance.path("workflow_instance_id").asText() + "/attempts?task=" + task)
                .expect(200)
                .text("/items/0/answer");
    }

    @Test
    void withoutAnInputForThemFilesReachEveryAiTaskThatHasNoPredecessor() {
        WorkflowId workflow = Workflows.of(tenant)
                .ai("first")
                .task("second", ai())
                .ai("later")
                .after("first", "later")
                .after("second", "later")
                .publish();
        JsonNode done = run(workflow, png());
        assertThat(answer(done, "first")).contains("Files received", "dot.png (image/png, 70 bytes)");
        assertThat(answer(done, "second")).contains("dot.png (image/png, 70 bytes)");
        assertThat(answer(done, "later")).contains("Look").doesNotContain("dot.png");
    }

    @Test
    void anInputForFilesGetsThemExclusively() {
        WorkflowId workflow = Workflows.of(tenant)
                .ai("first")
                .task("later", ai(fileUrls()))
                .after("first", "later")
                .publish();
        JsonNode done = run(workflow, png());
        assertThat(answer(done, "first")).doesNotContain("dot.png");
        assertThat(answer(done, "later")).contains("dot.png (image/png, 70 bytes)");
    }

    @Test
    void unreadableFilesAreRecordedInTheAttempt() {
        WorkflowId workflow = Workflows.of(tenant).ai("look").publish();
        String table = file(tenant, "t.csv", "text/csv", TestFiles.CSV);
        JsonNode done = run(workflow, file(tenant, "clip.mp4", "video/mp4", TestFiles.MP4), table);
        assertThat(answer(done, "look")).contains("t.csv (text/csv, ").doesNotContain("clip.mp4");
        String messages = tenant.get("/workflow_instances/"
                        + done.path("workflow_instance_id").asText() + "/attempts")
                .expect(200)
                .body();
        assertThat(messages)
                .contains("clip.mp4' (video/mp4) was not read: Files of this type cannot be read.", "Example,12.50");
    }

    @Test
    void anotherOrganizationsFileIsRefused() {
        WorkflowId workflow = Workflows.of(tenant).ai("look").publish();
        String foreign = file(Tenant.create(), "t.csv", "text/csv", TestFiles.CSV);
        Api.Answer refused = tenant.post(
                "/workflows/" + workflow + "/trigger/sync", Map.of("human_msg", "Look", "file_urls", List.of(foreign)));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/errors/0/path")).isEqualTo("/file_urls/0");
    }

    @Test
    void aMediaMessageStartsAnInstanceWithItsFileAndItsCaption() {
        WorkflowId workflow = Workflows.of(tenant).ai("look").publish();
        String conversation = tenant.post(
                        "/conversations",
                        Map.of("usecase", "WORKFLOW_EXECUTION", "config", Map.of("workflow_id", workflow.text())))
                .expect(201)
                .text("/id");
        captioned(conversation, "What is this?", "dot.png", "image/png", TestFiles.PNG);
        assertThat(reply(conversation, 1)).contains("What is this?", "dot.png (image/png, 70 bytes)");
    }

    @Test
    void aChatSendsTheModelThePictureAndTheTextOfFiles() {
        String conversation = tenant.conversation();
        captioned(conversation, "What is this?", "dot.png", "image/png", TestFiles.PNG);
        assertThat(reply(conversation, 1))
                .contains("What is this?", "dot.png (image/png, 70 bytes)")
                .doesNotContain("was not read");
        captioned(conversation, "And this?", "t.csv", "text/csv", TestFiles.CSV);
        assertThat(reply(conversation, 2))
                .contains("dot.png (image/png, 70 bytes)", "t.csv (text/csv, " + TestFiles.CSV.length + " characters)");
        tenant.send(conversation, "Go on").expect(200);
        assertThat(reply(conversation, 3)).contains("You wrote: \"Go on\"", "dot.png", "t.csv (text/csv, ");
    }

    @Test
    void aChatSaysWhichFileTheModelDidNotGet() {
        String conversation = tenant.conversation();
        captioned(conversation, "Watch this", "clip.mp4", "video/mp4", TestFiles.MP4);
        assertThat(reply(conversation, 1))
                .contains("clip.mp4' (video/mp4) was not read: Files of this type cannot be read.");
        tenant.send(conversation, "And?").expect(200);
        assertThat(reply(conversation, 2)).as("once is enough").doesNotContain("clip.mp4");
    }

    @Test
    void aChatSendsTheNewestFilesAndNamesThoseThatAreLeftOut() {
        String conversation = tenant.conversation();
        for (int i = 1; i <= 11; i++) {
            captioned(conversation, "No " + i, "n" + i + ".csv", "text/csv", TestFiles.CSV);
            reply(conversation, i);
        }
        assertThat(reply(conversation, 11))
                .contains("_n11.csv (text/csv", "_n2.csv (text/csv")
                .doesNotContain("_n1.csv (text/csv")
                .contains("n1.csv' (unknown type) was not read: Only 10 files are sent at once; it is left out.");
    }

    private void captioned(String conversation, String caption, String name, String type, byte[] bytes) {
        String stored = TestFiles.upload(tenant, name, type, bytes).text("/filename");
        tenant.post(
                        "/messages",
                        Map.of(
                                "conversation_id",
                                conversation,
                                "content_type",
                                type,
                                "filename",
                                stored,
                                "content",
                                caption))
                .expect(200);
    }

    /** The content of the service's nth reply. */
    private String reply(String conversation, int number) {
        List<String> replies = Tenant.eventually(() -> replies(conversation), found -> found.size() >= number);
        return replies.get(replies.size() - number);
    }

    private List<String> replies(String conversation) {
        List<String> replies = new ArrayList<>();
        tenant.get("/conversations/" + conversation + "/messages")
                .expect(200)
                .json()
                .forEach(message -> {
                    if (message.path("type").asText().equals("AGENT_RESPONSE")) {
                        replies.add(message.path("content").asText());
                    }
                });
        return replies;
    }
}
