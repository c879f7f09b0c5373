package dev.parley.mail;

import static dev.parley.Tenant.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When an unavailable SMTP server is tried again. */
class ServerBackoffTest {
    private final ServerBackoff backoff = new ServerBackoff();

    @Test
    void oneMailAtATimeProbesAnUnavailableServer() {
        assertThat(backoff.mayRun()).isTrue();
        backoff.onUnavailable("down");
        backoff.onUnavailable("down"); // Another connection failed at the same time.
        assertThat(backoff.mayRun()).isFalse();
        eventually(backoff::mayRun, may -> may);
        assertThat(backoff.mayRun()).as("while the probe runs").isFalse();
        backoff.onEnd();
        assertThat(backoff.mayRun()).as("after a probe without a result").isTrue();
        assertThat(backoff.mayRun()).isFalse();
        backoff.onUnavailable("still down");
        backoff.onEnd();
        assertThat(backoff.mayRun()).isFalse();
        eventually(backoff::mayRun, may -> may);
        backoff.onAvailable();
        backoff.onEnd();
        assertThat(backoff.mayRun()).isTrue();
        assertThat(backoff.mayRun()).isTrue();
    }
}
