package dev.parley.engine.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HandlingTest {
    @Test
    void waitingForATurnTakesNoTime() {
        var handling = new Handling(OrganizationId.next());
        String result = handling.watch(() -> {
            assertThat(handling.elapsed()).isPositive();
            handling.waits();
            assertThat(handling.elapsed()).isZero();
            handling.goesOn();
            assertThat(handling.elapsed()).isPositive();
            return "done";
        });
        assertThat(result).isEqualTo("done");
        assertThat(handling.elapsed()).isEqualTo(Duration.ZERO);
    }
}
