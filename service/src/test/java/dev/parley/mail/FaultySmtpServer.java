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
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A faulty SMTP server: the test defines the response to a command; an empty one means silence, null drops the
 * connection. After a 220 to STARTTLS it continues in TLS.
 */
final class FaultySmtpServer implements AutoCloseable {
    private final ServerSocket socket;
    private final Map<String, UnaryOperator<String>> answers = new ConcurrentHashMap<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final List<String> inTheClear = new CopyOnWriteArrayList<>();
    private final List<String> delivered = new CopyOnWriteArrayList<>();

    private final @Nullable SSLContext tls;

    FaultySmtpServer() {
        this(null, false);
    }

    /** @param atOnce whether TLS is implicit rather than started by STARTTLS */
    FaultySmtpServer(@Nullable SSLContext tls, boolean atOnce) {
        this.tls = tls;
        try {
            ServerSocketFactory sockets =
                    atOnce && tls != null ? tls.getServerSocketFactory() : ServerSocketFactory.getDefault();
            socket = sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(() -> {
            while (!socket.isClosed()) {
                try {
                    Socket client = socket.accept();
                    Thread.ofVirtual().start(() -> greet(client));
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

    /** The number of commands so far with this text, including the current one. */
    long count(String text) {
        return commands.stream().filter(command -> command.contains(text)).count();
    }

    List<String> delivered() {
        return delivered;
    }

    /** Commands received before TLS. */
    List<String> inTheClear() {
        return inTheClear;
    }

    private void greet(Socket client) {
        try (client) {
            write(client.getOutputStream(), "220 unwilling");
            serve(client);
        } catch (IOException _) {
            // The client has disconnected.
        }
    }

    private void serve(Socket client) throws IOException {
        try (var in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
                OutputStream out = client.getOutputStream()) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!(client instanceof SSLSocket)) {
                    inTheClear.add(line);
                }
                String answer = answer(line);
                if (answer == null) {
                    return;
                }
                if (!answer.isEmpty()) {
                    write(out, answer);
                }
                if (line.equals("STARTTLS") && answer.startsWith("220") && tls != null) {
                    var secure = (SSLSocket) tls.getSocketFactory().createSocket(client, null, client.getPort(), true);
                    secure.setUseClientMode(false);
                    serve(secure);
                    return;
                }
                if (answer.startsWith("354")) {
                    var mail = new StringBuilder();
                    String data = in.readLine();
                    for (; data != null && !data.equals("."); data = in.readLine()) {
                        mail.append(data).append('\n');
                    }
                    if (data == null) {
                        return; // The client left before the end of the mail.
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
