package dev.parley.mail;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * An SMTP server as bad as a test wants: for a command an answer of the test's, the empty one for silence, null to drop
 * the connection.
 */
final class UnwillingServer implements AutoCloseable {
    private final ServerSocket socket;
    private final Map<String, UnaryOperator<String>> answers = new ConcurrentHashMap<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final List<String> delivered = new CopyOnWriteArrayList<>();

    UnwillingServer() {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try {
                    Socket client = socket.accept();
                    Thread.ofVirtual().start(() -> serve(client));
                } catch (IOException _) {
                    return;
                }
            }
        });
    }

    int port() {
        return socket.getLocalPort();
    }

    /** @param command the first word, or {@code .} for the end of a mail, which then counts as delivered */
    void answer(String command, UnaryOperator<String> answer) {
        answers.put(command, answer);
    }

    /** How many commands held the text so far, the present one among them. */
    long count(String text) {
        return commands.stream().filter(command -> command.contains(text)).count();
    }

    List<String> delivered() {
        return delivered;
    }

    private void serve(Socket client) {
        try (client;
                var in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                OutputStream out = client.getOutputStream()) {
            write(out, "220 unwilling");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String answer = answer(line);
                if (answer == null) {
                    return;
                }
                if (!answer.isEmpty()) {
                    write(out, answer);
                }
                if (answer.startsWith("354")) {
                    var mail = new StringBuilder();
                    for (String data = in.readLine(); data != null && !data.equals("."); data = in.readLine()) {
                        mail.append(data).append('\n');
                    }
                    String end = answer(".");
                    if (end == null || end.startsWith("2")) {
                        delivered.add(mail.toString());
                    }
                    if (end == null) {
                        return;
                    }
                    write(out, end);
                }
            }
        } catch (IOException _) {
            // The client has gone.
        }
    }

    private String answer(String line) {
        commands.add(line);
        String command = line.split("[ :]", 2)[0];
        String usual = command.equals("DATA") ? "354 Go on" : command.equals("QUIT") ? "221 Bye" : "250 OK";
        return answers.getOrDefault(command, _ -> usual).apply(line);
    }

    private static void write(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
