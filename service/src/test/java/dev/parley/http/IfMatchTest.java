package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.problem.ApiProblem;
import org.junit.jupiter.api.Test;

class IfMatchTest {
    @Test
    void readsTagsAsTheServiceMadeThem() {
        assertThat(IfMatch.of(" \"1\" , W/\"2\",, \"3-gzip\" ,\"4;gzip\"").tags())
                .containsExactlyInAnyOrder("\"1\"", "\"2\"", "\"3\"", "\"4\"");
    }

    @Test
    void longHeadersAreRead() {
        assertThat(IfMatch.of(",".repeat(32_000) + "\"1\"" + " ,".repeat(32_000))
                        .tags())
                .containsExactly("\"1\"");
        assertThat(IfMatch.of("\"1\"" + ",\"1\"".repeat(16_000)).tags()).containsExactly("\"1\"");
        assertThatThrownBy(() -> IfMatch.of("\"1\"" + ",".repeat(32_000) + "x")).isInstanceOf(ApiProblem.class);
    }
}
