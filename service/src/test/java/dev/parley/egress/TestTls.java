package dev.parley.egress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates created for a test, which nothing else trusts. */
public final class TestTls {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private TestTls() {}

    /**
     * For a server with its own certificate, and for clients that trust only that one.
     *
     * @param name of the certificate, such as {@code dns:right.example} or {@code ip:127.0.0.1}
     */
    public static SSLContext of(Path directory, String name) throws Exception {
        Path keys = Files.createTempDirectory(directory, "tls").resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name.substring(name.indexOf(':') + 1),
                        "-ext",
                        "SAN=" + name,
                        "-alias",
                        "server",
                        "-keystore",
                        keys.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, PASSWORD);
        }
        KeyManagerFactory key = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        key.init(store, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", store.getCertificate("server"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(key.getKeyManagers(), trust.getTrustManagers(), null);
        return tls;
    }
}
