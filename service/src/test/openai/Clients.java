import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;
import java.util.stream.Collectors;

/** What OpenAI's client for Java does with the API: arguments are the base URL, a key and the id of a workflow. */
class Clients {
    public static void main(String[] args) {
        OpenAIClient client = OpenAIOkHttpClient.builder()
                .baseUrl(args[0])
                .apiKey(args[1])
                .maxRetries(0)
                .responseValidation(true)
                .build();
        String workflow = "workflow/" + args[2];
        check(client.models().list().autoPager().stream().anyMatch(model -> model.id().equals(workflow)), "models");

        ChatCompletionCreateParams chat = ChatCompletionCreateParams.builder()
                .model("default")
                .addUserMessage("Hello")
                .build();
        ChatCompletion completion = client.chat().completions().create(chat);
        completion.validate();
        check(completion.choices().getFirst().message().content().orElse("").contains("Hello"), completion);
        try (StreamResponse<ChatCompletionChunk> stream = client.chat().completions().createStreaming(chat)) {
            List<ChatCompletionChunk> chunks = stream.stream().map(ChatCompletionChunk::validate).toList();
            check(
                    chunks.stream()
                            .flatMap(chunk -> chunk.choices().stream())
                            .map(choice -> choice.delta().content().orElse(""))
                            .collect(Collectors.joining())
                            .contains("Hello"),
                    chunks);
        }

        ResponseCreateParams create =
                ResponseCreateParams.builder().model("default").input("Hello").store(true).build();
        Response response = client.responses().create(create).validate();
        check(response.output().getFirst().message().isPresent(), response);
        check(client.responses().retrieve(response.id()).id().equals(response.id()), response);
        try (StreamResponse<ResponseStreamEvent> stream = client.responses().createStreaming(create)) {
            List<ResponseStreamEvent> events = stream.stream().map(ResponseStreamEvent::validate).toList();
            check(events.getLast().completed().isPresent(), events);
        }
        Response asked = client.responses()
                .create(ResponseCreateParams.builder().model(workflow).input("Plan a trip").build())
                .validate();
        Response done = client.responses()
                .create(ResponseCreateParams.builder()
                        .model(workflow)
                        .input("3")
                        .previousResponseId(asked.id())
                        .build())
                .validate();
        check(done.output().toString().contains("3"), done);
        client.responses().delete(response.id());
        try {
            client.responses().retrieve(response.id());
            check(false, "deleted");
        } catch (NotFoundException expected) {
            check(expected.code().isPresent(), expected);
        }
        try {
            client.chat().completions().create(chat.toBuilder().n(2).build());
            check(false, "n");
        } catch (BadRequestException refused) {
            check(refused.param().orElse("").equals("n"), refused);
        }
        System.out.println("ok");
        System.exit(0); // The connections' threads would keep the process for a minute.
    }

    private static void check(boolean holds, Object what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
