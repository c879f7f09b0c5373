package dev.parley.blob.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import java.nio.file.NoSuchFileException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class S3ObjectsTest {
    private static TestS3 server;
    private static S3Objects objects;

    @BeforeAll
    static void start() throws Exception {
        server = TestS3.start();
        objects = new S3Objects(server.settings(), 2);
    }

    @AfterAll
    static void stop() throws Exception {
        objects.close();
        server.close();
    }

    @Test
    void aListCombinesPagesUpToItsLimit() {
        for (String name : new String[] {"e", "c", "a", "d é", "b+1"}) {
            server.put("pages/" + name, name.getBytes(UTF_8));
        }
        server.put("pagesEVIL/x", new byte[1]);
        assertThat(objects.list(TestS3.LAKES, "pages/", 100))
                .extracting(S3Objects.S3Object::key)
                .containsExactly("pages/a", "pages/b+1", "pages/c", "pages/d é", "pages/e");
        assertThat(objects.list(TestS3.LAKES, "pages/", 3))
                .extracting(S3Objects.S3Object::key)
                .containsExactly("pages/a", "pages/b+1", "pages/c");
        assertThat(objects.list(TestS3.LAKES, "nothing/", 3)).isEmpty();
    }

    @Test
    void aReplacedObjectIsNotOpened() throws Exception {
        server.put("one/d é.csv", "a".getBytes(UTF_8));
        S3Objects.S3Object found = objects.list(TestS3.LAKES, "one/", 1).getFirst();
        try (var bytes = objects.open(found)) {
            assertThat(bytes.readAllBytes()).asString(UTF_8).isEqualTo("a");
        }
        server.put("one/d é.csv", "b".getBytes(UTF_8));
        assertThatThrownBy(() -> objects.open(found)).isInstanceOf(NoSuchFileException.class);
        server.delete("one/d é.csv");
        assertThatThrownBy(() -> objects.open(found)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aBucketThatIsMissingIsUnavailable() {
        assertThatThrownBy(() -> objects.list("parley-test-missing", "", 1))
                .asInstanceOf(InstanceOfAssertFactories.type(ApiProblem.class))
                .extracting(ApiProblem::kind)
                .isEqualTo(ProblemKind.UNAVAILABLE);
    }
}
