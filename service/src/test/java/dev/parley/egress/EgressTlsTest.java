package dev.parley.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.egress.EgressException.EgressFailureKind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EgressTlsTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final EgressRules RULES = new EgressRules(EgressAllow.parse("127.0.0.1"), host -> List.of(LOOPBACK));

    @TempDir
    Path directory;

    private SSLContext tls;
    private ScriptedServer server;

    /** A server with a certificate for {@code right.example}. */
    @BeforeEach
    void start() throws Exception {
        tls = TestTls.of(directory, "dns:right.example");
        ServerSocket socket = tls.getServerSocketFactory().createServerSocket(0, 50, LOOPBACK);
        server = new ScriptedServer(socket, ScriptedServer.answering(200, "text/plain", "secure"));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void onlyATrustedCertificateForTheVeryHostNameIsAccepted() throws Exception {
        EgressRequest right = EgressRequest.get("https://right.example:" + server.port() + "/");
        EgressRequest wrong = EgressRequest.get("https://wrong.example:" + server.port() + "/");
        try (EgressClient trusting = new EgressClient(RULES, tls);
                EgressClient usual = new EgressClient(RULES)) {
            assertThat(trusting.execute(right).text()).isEqualTo("secure");
            for (EgressException refused : List.of(
                    catchThrowableOfType(EgressException.class, () -> trusting.execute(wrong)),
                    catchThrowableOfType(EgressException.class, () -> usual.execute(right)))) {
                assertThat(refused.kind()).isEqualTo(EgressFailureKind.TLS);
                assertThat(refused.isTransient()).isFalse();
            }
        }
        assertThat(server.received()).as("requests that reached the server").hasSize(1);
    }
}
