package dev.parley.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WatchedTransitionTest {
    @Test
    void waitingForATurnTakesNoTime() {
        var transition = new WatchedTransition(OrganizationId.next());
        String result = transition.watch(() -> {
            assertThat(transition.elapsed()).isPositive();
            transition.waits();
            assertThat(transition.elapsed()).isZero();
            transition.goesOn();
            assertThat(transition.elapsed()).isPositive();
            return "done";
        });
        assertThat(result).isEqualTo("done");
        assertThat(transition.elapsed()).isEqualTo(Duration.ZERO);
    }
}
