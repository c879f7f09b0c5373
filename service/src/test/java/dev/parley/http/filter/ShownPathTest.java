package dev.parley.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which part of a request's path is logged. */
class ShownPathTest {
    @ParameterizedTest
    @CsvSource({
        "/developer/uploads/token,/developer/uploads/…",
        "/developer/resume/token,/developer/resume/…",
        "/dashboard/api/invitations/token,/dashboard/api/invitations/…",
        "/invitations/token,/invitations/…",
        "/developer/api/messages,/developer/api/messages"
    })
    void aTokenIsNotShown(String path, String redactedPath) {
        assertThat(RequestFilter.redactedPath(path)).isEqualTo(redactedPath);
    }
}
