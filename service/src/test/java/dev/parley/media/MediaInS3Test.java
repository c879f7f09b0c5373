package dev.parley.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The service with its files in S3, including an unavailable S3. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
@QuarkusTestResource(value = S3Resource.class, restrictToAnnotatedClass = true)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MediaInS3Test {
    @Inject
    TaskFiles files;

    @Test
    @Order(1)
    void threeStepsGoThroughS3() {
        Tenant tenant = Tenant.create();
        Api.Answer message = TestFiles.sent(tenant, "табель 1+1.csv", "text/csv", TestFiles.CSV);
        assertThat(message.text("/metadata/file/uri")).startsWith("s3://parley-test-files/");
        String path = TestFiles.path(message.text("/metadata/file/path"));
        HttpResponse<byte[]> part = TestFiles.download("GET", tenant.key(), path, "Range", "bytes=5-10");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo(TestFiles.bytes("amount"));
        assertThat(TestFiles.download("GET", tenant.key(), path).body()).isEqualTo(TestFiles.CSV);
    }

    @Test
    @Order(1)
    void aFileOfOurBucketIsCopiedWithinItAndOnlyFromTheOwnPrefix() throws Exception {
        Tenant tenant = Tenant.create();
        Tenant stranger = Tenant.create();
        StoredFile file = files.store(use(tenant), "made.csv", null, TestFiles.CSV);
        assertThat(files.move(use(tenant), file.uri())).isEqualTo(file);
        for (String form : new String[] {file.uri(), S3Url.pathStyle(file)}) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> files.move(use(stranger), form))
                    .isInstanceOf(FileException.class)
                    .hasMessage("There is no such file.");
        }
        assertThat(files.move(use(tenant), S3Url.pathStyle(file))).isEqualTo(file);
        String stray = S3Url.put(tenant.organization().text() + "/imports/stray.csv", TestFiles.CSV);
        StoredFile copied = files.move(use(tenant), stray);
        assertThat(copied.path()).startsWith(tenant.organization().text() + "/spreadsheet/");
        assertThat(copied.contentType()).isEqualTo("text/csv");
        try (var open = files.open(tenant.organization(), copied.uri())) {
            assertThat(open.bytes().readAllBytes()).isEqualTo(TestFiles.CSV);
        }
        assertThat(files.move(use(tenant), stray).sha256()).isEqualTo(copied.sha256()); // the source still exists
    }

    private static FileReference use(Tenant tenant) {
        return FileReference.conversation(tenant.organization(), dev.parley.id.ConversationId.next(), null, null);
    }

    @Test
    @Order(2)
    void withoutS3NothingIsHalfStored() {
        Tenant tenant = Tenant.create();
        String conversation = tenant.conversation();
        String known =
                TestFiles.sent(tenant, "known.csv", "text/csv", TestFiles.CSV).text("/metadata/file/path");
        String stored =
                TestFiles.upload(tenant, "new.csv", "text/csv", TestFiles.CSV).text("/filename");
        S3Resource.goAway();
        Api.Answer refused =
                TestFiles.send(tenant, conversation, stored, "text/csv").expect(503);
        assertThat(refused.header("Retry-After")).isEqualTo("5");
        assertThat(refused.body()).doesNotContain("127.0.0.1", "Exception");
        assertThat(tenant.get("/conversations/" + conversation + "/messages").body())
                .isEqualTo("[]");
        assertThat(TestFiles.download("GET", tenant.key(), TestFiles.path(known))
                        .statusCode())
                .isEqualTo(503);
        tenant.send(conversation, "Texts go on.").expect(200);
    }
}
