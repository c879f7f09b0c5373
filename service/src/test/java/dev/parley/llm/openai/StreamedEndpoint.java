package dev.parley.llm.openai;

import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressRules;
import dev.parley.egress.ScriptedServer;
import dev.parley.llm.ReplyListener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An endpoint that answers in pieces. */
abstract class StreamedEndpoint extends ScriptedEndpoint {
    static final String STOP = "{\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}";
    static final String DONE = "[DONE]";

    final RecordedText heard = new RecordedText();

    /** What a listener has. */
    static final class RecordedText implements ReplyListener {
        final List<String> pieces = new ArrayList<>();
        final StringBuilder text = new StringBuilder();
        int resets;

        @Override
        public synchronized void onText(String piece) {
            pieces.add(piece);
            text.append(piece);
        }

        @Override
        public synchronized void onReset() {
            resets++;
            text.setLength(0);
        }
    }

    static String text(String content) {
        return "{\"choices\": [{\"index\": 0, \"delta\": {\"content\": " + quoted(content) + "}}]}";
    }

    static String delta(String delta) {
        return "{\"choices\": [{\"index\": 0, \"delta\": " + delta + "}]}";
    }

    private static String quoted(String text) {
        return JSON.valueToTree(text).toString();
    }

    static void head(OutputStream out) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                .getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    static void chunk(OutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.write(bytes);
        out.write("\r\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    static void event(OutputStream out, String data) throws IOException {
        chunk(out, "data: " + data + "\n\n");
    }

    static void end(OutputStream out) throws IOException {
        out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    static ScriptedServer.Script events(String... events) {
        return (_, out) -> {
            head(out);
            for (String one : events) {
                event(out, one);
            }
            end(out);
        };
    }

    EndpointChatModel streaming(String... events) throws IOException {
        return model("/v1", "", events(events));
    }

    EndpointChatModel impatient(ScriptedServer.Script script, Duration timeout) throws IOException {
        server = new ScriptedServer(script);
        open.add(server);
        EndpointChatModel model = new EndpointChatModel(
                server.url("/v1"), "", "m", timeout, new EgressRules(EgressAllow.none()), _ -> {});
        open.add(model);
        return model;
    }
}
