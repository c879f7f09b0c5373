package dev.parley.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.http.IdempotencyKeys;
import dev.parley.http.json.StrictJson;
import dev.parley.workflow.instance.PublishedWorkflows;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Responses of the offline model and of workflows. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ResponseTest extends OpenAiCase {
    private static final Map<String, Object> TOOL = Map.of(
            "type", "function", "name", "weather", "parameters", Map.of("type", "object", "properties", Map.of()));

    private static Map<String, Object> request(String model, Object input) {
        return new HashMap<>(Map.of("model", model, "input", input));
    }

    private static Map<String, Object> with(Map<String, Object> request, String name, Object value) {
        request.put(name, value);
        return request;
    }

    private static String text(JsonNode response) {
        return response.at("/output/0/content/0/text").asText();
    }

    private JsonNode create(Map<String, Object> request) {
        return responses(request).expect(200).json();
    }

    @Test
    void modelAnswersAndNothingIsStored() {
        JsonNode response = create(with(request("default", "Hello"), "instructions", "Be brief."));

        assertThat(response.at("/status").asText()).isEqualTo("completed");
        assertThat(text(response)).contains("You wrote: \"Hello\"");
        assertThat(response.at("/store").asBoolean()).isFalse();
        assertThat(response.at("/usage/output_tokens_details/reasoning_tokens").isInt())
                .isTrue();
        get("/v1/responses/" + response.at("/id").asText()).expect(404);
        assertThat(responses(with(
                                request("default", "More"),
                                "previous_response_id",
                                response.at("/id").asText()))
                        .expect(400)
                        .text("/error/param"))
                .isEqualTo("previous_response_id");
    }

    @Test
    void aStoredResponseIsReadContinuedAndDeleted() {
        JsonNode first =
                create(with(request("default", "offline:call weather {\"city\": \"Bern\"}"), "store", true, TOOL));
        String id = first.at("/id").asText();
        JsonNode call = first.at("/output/0");

        assertThat(call.at("/type").asText()).isEqualTo("function_call");
        assertThat(get("/v1/responses/" + id).expect(200).json()).isEqualTo(first);
        Map<String, Object> result = Map.of(
                "type", "function_call_output", "call_id", call.at("/call_id").asText(), "output", "Sunny");
        JsonNode second = create(
                with(with(request("default", List.of(result)), "store", true, TOOL), "previous_response_id", id));
        assertThat(text(second)).startsWith("Offline model");
        JsonNode third = create(with(
                request("default", "And tomorrow?"),
                "previous_response_id",
                second.at("/id").asText()));
        assertThat(text(third)).contains("And tomorrow?");
        create(request(
                "default",
                List.of(Map.of("type", "item_reference", "id", call.at("/id").asText()), result)));

        assertThat(new Api()
                        .delete("/v1/responses/" + id)
                        .key(tenant.key())
                        .send()
                        .expect(200)
                        .json()
                        .at("/deleted")
                        .asBoolean())
                .isTrue();
        get("/v1/responses/" + id).expect(404);
        assertThat(post("/v1/responses/" + second.at("/id").asText() + "/cancel", Map.of())
                        .status())
                .isEqualTo(409);
    }

    private static Map<String, Object> with(Map<String, Object> request, String name, Object value, Object tool) {
        return with(with(request, name, value), "tools", List.of(tool));
    }

    @Test
    void streamHasTheEventsInOrder() {
        List<JsonNode> events = events(responses(with(request("default", "Hello"), "stream", true)));

        assertThat(events.stream().map(event -> event.at("/type").asText()).distinct())
                .containsExactly(
                        "response.created",
                        "response.in_progress",
                        "response.output_item.added",
                        "response.content_part.added",
                        "response.output_text.delta",
                        "response.output_text.done",
                        "response.content_part.done",
                        "response.output_item.done",
                        "response.completed");
        assertThat(events.stream().map(event -> event.at("/sequence_number").asInt()))
                .containsExactlyElementsOf(
                        IntStream.range(0, events.size()).boxed().toList());
        assertThat(text(events.getLast().at("/response"))).contains("You wrote: \"Hello\"");
        List<JsonNode> calls =
                events(responses(with(request("default", "offline:call weather {}"), "stream", true, TOOL)));
        assertThat(calls.stream().map(event -> event.at("/type").asText()))
                .containsExactly(
                        "response.created",
                        "response.in_progress",
                        "response.output_item.added",
                        "response.function_call_arguments.delta",
                        "response.function_call_arguments.done",
                        "response.output_item.done",
                        "response.completed");
    }

    @Test
    void replyContinuesAWorkflowThatAsks() {
        String model = asking();
        JsonNode asked = create(request(model, "Plan a trip"));

        assertThat(asked.at("/status").asText()).isEqualTo("completed");
        assertThat(text(asked)).contains("'nights'");
        assertThat(asked.at("/metadata/workflow_instance_status").asText()).isEqualTo("PAUSED");
        JsonNode done = create(with(
                request(model, "3"), "previous_response_id", asked.at("/id").asText()));
        assertThat(text(done)).isEqualTo("3");
        assertThat(text(get("/v1/responses/" + asked.at("/id").asText())
                        .expect(200)
                        .json()))
                .contains("'nights'");
        JsonNode again = create(with(
                request(model, "Again"), "previous_response_id", done.at("/id").asText()));
        assertThat(again.at("/metadata/conversation_id")).isEqualTo(asked.at("/metadata/conversation_id"));
        assertThat(again.at("/metadata/workflow_instance_id")).isNotEqualTo(asked.at("/metadata/workflow_instance_id"));
        assertThat(tenant.get("/conversations/"
                                + asked.at("/metadata/conversation_id").asText() + "/messages")
                        .expect(200)
                        .json()
                        .findValuesAsText("content"))
                .contains("Plan a trip", "3", "Again");
    }

    @Test
    void usageHasTheTokensOfTheTasksThatTheMessageStarted() {
        String model = OpenAiCase.model(Workflows.of(tenant)
                .ai("first")
                .task(
                        "second",
                        Map.of(
                                "kind", "AI",
                                "input_parameters", List.of(Workflows.input("nights", "INTEGER", "human_input", true)),
                                "expected_output", List.of(Workflows.output("nights", "INTEGER"))))
                .after("first", "second")
                .publish());
        JsonNode asked = create(request(model, "Plan a trip"));
        assertThat(asked.at("/metadata/workflow_instance_status").asText()).isEqualTo("PAUSED");
        JsonNode done = create(with(
                request(model, "3"), "previous_response_id", asked.at("/id").asText()));

        List<Integer> tokens = new ArrayList<>();
        String instance = done.at("/metadata/workflow_instance_id").asText();
        for (JsonNode attempt : tenant.get("/workflow_instances/" + instance + "/attempts")
                .expect(200)
                .json()
                .path("items")) {
            tokens.add(attempt.path("input_tokens").asInt()
                    + attempt.path("output_tokens").asInt());
        }
        assertThat(tokens).hasSize(2).allMatch(count -> count > 0);
        assertThat(asked.at("/usage/total_tokens").asInt()).isEqualTo(tokens.getFirst());
        assertThat(done.at("/usage/total_tokens").asInt()).isEqualTo(tokens.getLast());
        assertThat(get("/v1/responses/" + asked.at("/id").asText())
                        .expect(200)
                        .json()
                        .at("/usage"))
                .isEqualTo(asked.at("/usage"));
    }

    @Test
    void ofSimultaneousContinuationsOneStartsAnInstanceAndOnlyItsMessageIsStored() throws Exception {
        String model = answering();
        JsonNode first = create(request(model, "Hello"));
        for (String continued : List.of("previous_response_id", "metadata")) {
            Object value = continued.equals("metadata")
                    ? Map.of(
                            "conversation_id",
                            first.at("/metadata/conversation_id").asText())
                    : first.at("/id").asText();
            List<Api.Answer> answers = new ArrayList<>();
            try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<Api.Answer>> sent = IntStream.range(0, 8)
                        .mapToObj(_ -> executor.submit(() -> responses(with(
                                with(request(model, "offline:wait 600000"), "background", true), continued, value))))
                        .toList();
                for (Future<Api.Answer> one : sent) {
                    answers.add(one.get());
                }
            }
            assertThat(answers.stream().map(Api.Answer::status).sorted())
                    .containsExactly(200, 409, 409, 409, 409, 409, 409, 409);
            JsonNode started = answers.stream()
                    .filter(answer -> answer.status() == 200)
                    .findFirst()
                    .orElseThrow()
                    .json();
            String path = "/v1/responses/" + started.at("/id").asText();
            post(path + "/cancel", Map.of()).expect(200);
            Tenant.eventually(
                    () -> get(path).expect(200).json(),
                    response -> response.at("/status").asText().equals("cancelled"));
        }
        assertThat(tenant.get("/conversations/"
                                + first.at("/metadata/conversation_id").asText() + "/messages")
                        .expect(200)
                        .json()
                        .findValuesAsText("content"))
                .filteredOn("offline:wait 600000"::equals)
                .hasSize(2);
    }

    @Test
    void anIdempotencyKeyStartsOneInstance() throws Exception {
        Map<String, Object> request = request(answering(), "Hello");
        Api.Answer first;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Answer>> sent = IntStream.range(0, 8)
                    .mapToObj(_ -> threads.submit(() -> once("/v1/responses", request)))
                    .toList();
            first = sent.getFirst().get().expect(200);
            for (Future<Api.Answer> each : sent) {
                assertThat(each.get().expect(200).json().at("/id"))
                        .isEqualTo(first.json().at("/id"));
            }
        }
        Api.Answer repeated = once("/v1/responses", request).expect(200);
        assertThat(repeated.header(IdempotencyKeys.REPLAYED)).isEqualTo("true");
        assertThat(repeated.json()).isEqualTo(first.json());
        once("/v1/responses", with(new HashMap<>(request), "stream", true)).expect(422);
        assertThat(tenant.get("/workflow_instances").expect(200).json().at("/items"))
                .hasSize(1);

        Map<String, Object> chat = Map.of("model", request.get("model"), "messages", List.of(user("Hello")));
        JsonNode completion = once("/v1/chat/completions", chat).expect(200).json();
        assertThat(once("/v1/chat/completions", chat).expect(200).json()).isEqualTo(completion);
        assertThat(tenant.get("/workflow_instances").expect(200).json().at("/items"))
                .hasSize(2);
    }

    private Api.Answer once(String path, Map<String, Object> body) {
        return new Api()
                .post(path)
                .key(tenant.key())
                .header(IdempotencyKeys.HEADER, "key-1")
                .json(body)
                .send();
    }

    @Test
    void completedResponseKeepsItsTime() {
        JsonNode asked = create(request(asking(), "Plan a trip"));
        JsonNode done = create(request(answering(), "Hello"));
        long completed = done.at("/completed_at").asLong();

        assertThat(completed)
                .isBetween(done.at("/created_at").asLong(), Instant.now().getEpochSecond());
        Tenant.eventually(() -> Instant.now().getEpochSecond(), now -> now > completed);
        for (JsonNode response : List.of(asked, done)) {
            assertThat(get("/v1/responses/" + response.at("/id").asText())
                            .expect(200)
                            .json())
                    .isEqualTo(response);
        }
    }

    @Test
    void aPersonAnswersInTheInboxAndTheResponseFollows() {
        String model = model(PublishedWorkflows.asking(tenant));
        JsonNode asked = create(with(request(model, "Approve this"), "metadata", Map.of("order", "7")));
        String id = asked.at("/id").asText();

        assertThat(text(asked)).startsWith("Waiting for a person");
        assertThat(asked.at("/metadata/order").asText()).isEqualTo("7");
        responses(with(request(model, "Yes"), "previous_response_id", id)).expect(409);
        tenant.browser()
                .post("/dashboard/api/organizations/" + tenant.organization() + "/tickets/"
                        + asked.at("/metadata/ticket_id").asText() + "/complete")
                .json(Map.of("answer", Map.of("approved", true)))
                .send()
                .expect(200);
        JsonNode done =
                Tenant.eventually(() -> get("/v1/responses/" + id).expect(200).json(), response -> text(response)
                        .equals("true"));
        assertThat(done.at("/metadata/workflow_instance_status").asText()).isEqualTo("COMPLETED");
    }

    @Test
    void backgroundReturnsAtOnceAndIsFollowedAndCancelled() {
        String model = answering();
        JsonNode begun = create(with(request(model, "offline:wait 600000"), "background", true));
        String path = "/v1/responses/" + begun.at("/id").asText();

        assertThat(begun.at("/status").asText()).isEqualTo("in_progress");
        assertThat(begun.at("/background").asBoolean()).isTrue();
        assertThat(get(path).expect(200).json().at("/status").asText()).isEqualTo("in_progress");
        post(path + "/cancel", Map.of()).expect(200);
        Tenant.eventually(
                () -> get(path).expect(200).json(),
                response -> response.at("/status").asText().equals("cancelled"));
        post(path + "/cancel", Map.of()).expect(200);
        JsonNode quick = create(with(request(model, "Hello"), "background", true));
        JsonNode done = Tenant.eventually(
                () -> get("/v1/responses/" + quick.at("/id").asText())
                        .expect(200)
                        .json(),
                response -> response.at("/status").asText().equals("completed"));
        assertThat(text(done)).startsWith("Offline model");
    }

    @Test
    void aFailedWorkflowIsAFailedResponse() {
        String model = answering();
        JsonNode failed = create(request(model, "offline:fail Nothing works"));

        assertThat(failed.at("/status").asText()).isEqualTo("failed");
        assertThat(failed.at("/error/message").asText()).contains("Nothing works");
        assertThat(events(responses(with(request(model, "offline:fail Nothing works"), "stream", true)))
                        .getLast()
                        .at("/type")
                        .asText())
                .isEqualTo("response.failed");
        assertThat(events(responses(with(request(model, "Hello"), "stream", true))).stream()
                        .map(event -> event.at("/type").asText()))
                .contains("response.output_text.delta", "response.completed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"input\": null}|input",
                "{\"input\": 7}|input",
                "{\"input\": []}|input",
                "{\"input\": [{\"role\": \"user\", \"content\": 7}]}|input[0].content",
                "{\"input\": [{\"type\": \"computer_call\"}]}|input[0].type",
                "{\"input\": [{\"type\": \"item_reference\", \"id\": \"msg_1\"}]}|input",
                "{\"background\": true}|background",
                "{\"prompt\": {\"id\": \"a\"}}|prompt",
                "{\"conversation\": \"a\"}|conversation",
                "{\"previous_response_id\": \"resp_1\"}|previous_response_id",
                "{\"include\": [\"message.output_text.logprobs\"]}|include",
                "{\"text\": {\"format\": {\"type\": \"json_schema\"}}}|text.format.schema",
                "{\"reasoning\": {\"effort\": \"extreme\"}}|reasoning",
                "{\"tools\": [{\"type\": \"web_search\"}]}|tools[0].type",
                "{\"max_output_tokens\": \"many\"}|max_output_tokens"
            })
    void otherParametersAreRefusedByName(String more, String param) {
        Map<String, Object> request = request("default", "Hello");
        request.putAll(StrictJson.readObject(more));

        assertThat(responses(request).expect(400).text("/error/param")).isEqualTo(param);
    }

    @Test
    void oldResponsesAreDeleted() {
        JsonNode kept = create(with(request("default", "Hello"), "store", true));
        JsonNode old = create(with(request("default", "Hello"), "store", true));
        int _ = Tenant.bean(Database.class)
                .<Integer>with(handle -> handle.execute(
                        "UPDATE openai_response SET created_at = now() - interval '31 days'"
                                + " WHERE organization_id = ? AND response LIKE ?",
                        tenant.organization().value(),
                        "%" + old.at("/id").asText() + "%"));

        Tenant.bean(ResponseResource.class).deleteOld();

        get("/v1/responses/" + old.at("/id").asText()).expect(404);
        get("/v1/responses/" + kept.at("/id").asText()).expect(200);
    }
}
