package dev.parley.workflow.task.ai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.http.json.StrictJson;
import dev.parley.llm.openai.EndpointChatModel;
import dev.parley.workflow.definition.core.AiTask;
import dev.parley.workflow.definition.core.document.TaskId;
import dev.parley.workflow.definition.core.part.ControlFlow;
import dev.parley.workflow.definition.core.part.TaskBasics;
import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import dev.parley.workflow.task.TaskFailure;
import dev.parley.workflow.task.TaskResult;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid answers of a model to an AI task. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ModelAnswersTest {
    private static final String GOOD = "{\"total\": 7}";

    private final Tenant tenant = Tenant.create();
    private final List<JsonNode> asked = new CopyOnWriteArrayList<>();
    private final List<Answer> answers = new CopyOnWriteArrayList<>();
    private ScriptedServer service;
    private EndpointChatModel model;

    private record Answer(Map<String, Object> message, String finishReason) {}

    /** Returns the answers in order, and the last one repeatedly. */
    @BeforeEach
    void startScriptedModel() throws IOException {
        service = new ScriptedServer((request, out) -> {
            asked.add(StrictJson.mapper().readTree(request.body()));
            Answer answer = answers.get(Math.min(asked.size(), answers.size()) - 1);
            ScriptedServer.write(
                    out, 200, "application/json", """
                    {"id": "c", "object": "chat.completion", "created": 1, "model": "scripted",
                     "choices": [{"index": 0, "message": %s, "finish_reason": "%s"}],
                     "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}""".formatted(StrictJson.write(answer.message), answer.finishReason));
        });
        model = new EndpointChatModel(
                service.url("/v1"), "", "scripted", Duration.ofSeconds(20), new EgressRules(EgressAllow.none()));
    }

    @AfterEach
    void close() throws Exception {
        model.close();
        service.close();
    }

    private void answer(String content, String finishReason) {
        answers.add(new Answer(Map.of("role", "assistant", "content", content), finishReason));
    }

    private TaskResult run() throws Exception {
        var task = new AiTask(
                new TaskBasics(
                        new TaskId("t"),
                        "T",
                        "Answer.",
                        List.of(),
                        List.of(new OutputParameter("total", OutputType.INTEGER, "d")),
                        null,
                        ControlFlow.ONCE),
                List.of());
        return AiTaskRun.of(tenant, model, task, Map.of(), AiTaskRun.recording(tenant, _ -> {}));
    }

    private String lastMessage(int request) {
        JsonNode messages = asked.get(request).path("messages");
        assertThat(messages.path(messages.size() - 1).path("role").asText()).isEqualTo("user");
        return messages.path(messages.size() - 1).path("content").asText();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                GOOD,
                "```json\n{\"total\": 7}\n```",
                "```\n{\"total\": 7}\n```",
                "\n  ```JSON\r\n\r\n{\"total\": 7}\r\n\r\n```  \n",
                "~~~json\n{\n\"total\": 7\n}\n~~~",
                "```json {\"total\": 7} ```",
                "```{\"total\": 7}```",
                "Here it is: {\"total\": 7}. Anything else?",
                "Sure!\n```json\n{\"total\": 7}\n```\nThe invoice says {total}.",
                "[{\"total\": 7}]",
                "{\"note\": \"draft\"}\n{\"total\": 7}",
                "{\"total\": 7}\n{\"total\": \"7\"}",
                "<think>{\"total\": 6}?</think>{\"total\": 7}"
            })
    void whatIsAroundTheObjectIsRemoved(String content) throws Exception {
        answer(content, "stop");
        assertThat(run().outputs()).containsEntry("total", 7L);
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "The total is 7. | stop | The answer is not JSON (line 1, column 1).",
                "[7] | stop | The answer is JSON, but not an object.",
                "null | stop | The answer is JSON, but not an object.",
                "'' | stop | The answer is empty.",
                "{\"total\": | length | The answer was cut off at the model's length limit",
                "{\"total\": \"many\"} | stop | /total: ",
                "It is {\"total\": \"many\"}. | stop | /total: ",
                "{\"total\": 6} or {\"total\": 7} | stop | several JSON objects",
                "{\"all\": [{\"total\": 7}, | stop | The answer is not JSON",
                "It is {\"total\": 7} and | length | The answer was cut off at the model's length limit"
            })
    void violationsAreReturnedToTheModel(String content, String reason, String fault) throws Exception {
        answer(content, reason);
        answer(content, reason);
        answer(GOOD, "stop");
        assertThat(run().outputs()).containsEntry("total", 7L);
        assertThat(asked).hasSize(3);
        assertThat(lastMessage(1)).contains("Answer again").contains(fault);
        assertThat(lastMessage(2)).contains(fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "The total is 7. | stop | not JSON",
                "'' | stop | empty",
                "{\"total\": | length | cut off",
                "{\"total\": \"many\"} | stop | total"
            })
    void theTaskFailsAfterTwoCorrections(String content, String reason, String fault) throws Exception {
        answer(content, reason);
        TaskFailure failure = catchThrowableOfType(TaskFailure.class, this::run);
        assertThat(asked).hasSize(3);
        assertThat(failure.isTransient()).isFalse();
        assertThat(failure.title()).isEqualTo("Invalid model answer");
        assertThat(failure.detail()).contains(fault).doesNotContain("Exception");
    }

    @Test
    void aCutObjectThatIsWholeIsAccepted() throws Exception {
        answer(GOOD, "length");
        assertThat(run().outputs()).containsEntry("total", 7L);
    }

    @Test
    void aCutToolCallIsNotMade() throws Exception {
        answers.add(new Answer(
                Map.of(
                        "role",
                        "assistant",
                        "tool_calls",
                        List.of(Map.of(
                                "id", "1", "type", "function", "function", Map.of("name", "pay", "arguments", "")))),
                "length"));
        answer(GOOD, "stop");
        assertThat(run().outputs()).containsEntry("total", 7L);
        assertThat(lastMessage(1)).contains("cut off");
    }

    @Test
    void aRefusalIsNotRetried() throws Exception {
        answers.add(new Answer(Map.of("role", "assistant", "refusal", "I cannot help with that."), "stop"));
        TaskFailure failure = catchThrowableOfType(TaskFailure.class, this::run);
        assertThat(asked).hasSize(1);
        assertThat(failure.isTransient()).isFalse();
        assertThat(failure.detail()).isEqualTo("The chat model refused to answer this.");
    }
}
