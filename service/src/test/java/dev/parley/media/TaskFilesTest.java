package dev.parley.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.id.ConversationId;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files that tasks make or name. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class TaskFilesTest {
    private static HttpServer elsewhere;

    @Inject
    TaskFiles files;

    @BeforeAll
    static void start() throws Exception {
        elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/files/report.pdf", exchange -> {
            exchange.sendResponseHeaders(200, TestFiles.PDF.length);
            exchange.getResponseBody().write(TestFiles.PDF);
            exchange.close();
        });
        elsewhere.createContext("/broken", exchange -> {
            exchange.sendResponseHeaders(200, 1_000);
            exchange.getResponseBody().write(TestFiles.PDF);
            exchange.getResponseBody().flush();
            exchange.close();
        });
        elsewhere.createContext("/busy", exchange -> {
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        elsewhere.start();
    }

    @AfterAll
    static void stop() {
        elsewhere.stop(0);
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + elsewhere.getAddress().getPort() + path;
    }

    private static FileReference use(Tenant tenant) {
        return FileReference.conversation(tenant.organization(), ConversationId.next(), null, null);
    }

    @Test
    void aTasksFileIsStoredAndOpened() throws Exception {
        Tenant tenant = Tenant.create();
        StoredFile file = files.store(use(tenant), "../Notes.md", null, TestFiles.bytes("# Notes\n"));
        assertThat(file.contentType()).isEqualTo("text/markdown");
        assertThat(file.path()).matches(tenant.organization().text() + "/file/[0-9a-f]{32}/\\d{8}_\\d{6}_Notes.md");
        assertThat(file.messageType()).isEqualTo("FILE");
        try (var open = files.open(tenant.organization(), file.uri())) {
            assertThat(open.bytes().readAllBytes()).isEqualTo(TestFiles.bytes("# Notes\n"));
        }
        assertThat(TestFiles.download("GET", tenant.key(), TestFiles.path(file.path()))
                        .statusCode())
                .isEqualTo(200);
        assertThat(files.find(Tenant.create().organization(), file.uri())).isEmpty();
        assertThatThrownBy(() -> files.open(Tenant.create().organization(), file.uri()))
                .isInstanceOf(FileException.class);
    }

    @Test
    void aFileElsewhereIsFetched() throws Exception {
        Tenant tenant = Tenant.create();
        StoredFile file = files.move(use(tenant), url("/files/report.pdf"));
        assertThat(file.contentType()).isEqualTo("application/pdf");
        assertThat(file.filename()).endsWith("_report.pdf");
        assertThat(file.size()).isEqualTo(TestFiles.PDF.length);
        assertThat(files.move(use(tenant), file.uri())).isEqualTo(file);
    }

    @Test
    void anotherOrganizationsFileIsNotReached() throws Exception {
        StoredFile file = files.store(use(Tenant.create()), "secret.csv", null, TestFiles.CSV);
        Tenant stranger = Tenant.create();
        for (String uri : List.of(
                file.uri(),
                file.uri()
                        .replace(
                                "s3://parley/",
                                "s3://parley/" + stranger.organization().text() + "/../"),
                "s3://parley/" + stranger.organization().text() + "/none.csv")) {
            assertThatThrownBy(() -> files.move(use(stranger), uri))
                    .isInstanceOf(FileException.class)
                    .hasMessage("There is no such file.");
        }
        assertThatThrownBy(() -> files.move(use(stranger), "s3://somebody-elses/a.csv"))
                .isInstanceOf(FileException.class)
                .hasMessageContaining("somebody-elses");
    }

    @Test
    void failuresAreTransientOrPermanent() {
        Tenant tenant = Tenant.create();
        assertThat(failure(tenant, url("/none")).isTransient()).isFalse();
        assertThat(failure(tenant, url("/busy")).isTransient()).isTrue();
        assertThat(failure(tenant, url("/broken")).isTransient()).isTrue();
        assertThat(failure(tenant, "http://10.1.2.3/a.pdf").isTransient()).isFalse();
    }

    private FileException failure(Tenant tenant, String url) {
        try {
            files.move(use(tenant), url);
        } catch (FileException e) {
            return e;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("it was moved");
    }

    @Test
    void oversizedFilesAreRejected() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                return length;
            }
        };
        assertThatThrownBy(() -> files.store(use(Tenant.create()), "a.bin", null, endless))
                .isInstanceOf(FileException.class)
                .hasMessageContaining("100000000");
    }

    @Test
    void filesOfTriggersAreChecked() {
        Tenant tenant = Tenant.create();
        FileScope scope = FileScope.all(tenant.organization());
        Api.Answer uploaded = TestFiles.upload(tenant, "a.csv", "text/csv", TestFiles.CSV);
        Api.Answer waiting = TestFiles.presign(tenant, "b.csv", "text/csv");
        Api.Answer wrong = TestFiles.upload(tenant, "c.png", "image/png", TestFiles.CSV);
        assertThat(files.check(scope, uploaded.text("/file_url"))).isEmpty();
        assertThat(files.check(scope, "https://example.com/a.pdf")).isEmpty();
        assertThat(files.find(tenant.organization(), uploaded.text("/file_url")))
                .isPresent();
        for (String refused : List.of(
                waiting.text("/file_url"),
                wrong.text("/file_url"),
                TestFiles.upload(Tenant.create(), "d.csv", "text/csv", TestFiles.CSV)
                        .text("/file_url"),
                "s3://other-bucket/a",
                "s3://parley/",
                "http://10.0.0.1/a",
                "ftp://example.com/a",
                "nonsense")) {
            assertThat(files.check(scope, refused)).as(refused).isPresent();
        }
    }

    @Test
    void namesWithoutAFileAreCalledFile() throws Exception {
        StoredFile file = files.store(
                use(Tenant.create()), "..", "text/html", new ByteArrayInputStream(TestFiles.bytes("<p>x</p>")));
        assertThat(file.filename()).endsWith("_file");
        assertThat(file.messageType()).isEqualTo("FILE");
        assertThat(file.contentType()).isEqualTo("text/html");
    }
}
