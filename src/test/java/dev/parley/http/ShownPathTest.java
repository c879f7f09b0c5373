package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a request's address is in the log. */
class ShownPathTest {
    @ParameterizedTest
    @CsvSource({
        "/developer/uploads/token,/developer/uploads/…",
        "/dashboard/api/invitations/token,/dashboard/api/invitations/…",
        "/invitations/token,/invitations/…",
        "/developer/api/messages,/developer/api/messages"
    })
    void aTokenIsNotShown(String path, String shown) {
        assertThat(RequestFilter.shown(path)).isEqualTo(shown);
    }
}
