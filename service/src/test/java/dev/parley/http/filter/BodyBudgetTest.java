package dev.parley.http.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private final BodyBudget budget = new BodyBudget(100);

    @Test
    void oneCallerGetsHalfAndFurtherRequestsWait() {
        BodyBudget.BudgetPermit first = budget.request("a", 30, TIMEOUT);
        BodyBudget.BudgetPermit second = budget.request("a", 30, TIMEOUT);
        BodyBudget.BudgetPermit ofAnother = budget.request("b", 50, TIMEOUT);
        assertThat(first.granted().resultNow()).isTrue();
        assertThat(second.granted()).isNotDone();
        assertThat(ofAnother.granted().resultNow())
                .as("a body that waits for its own budget blocks no other")
                .isTrue();
        first.close();
        assertThat(second.granted().resultNow()).isTrue();
    }

    @Test
    void allCallersShareTheBudgetAndOversizedRequestsCountAsHalf() {
        BodyBudget.BudgetPermit first = budget.request("a", 1_000, TIMEOUT);
        BodyBudget.BudgetPermit second = budget.request("b", 40, TIMEOUT);
        BodyBudget.BudgetPermit third = budget.request("c", 11, TIMEOUT);
        assertThat(first.granted().resultNow()).isTrue();
        assertThat(second.granted().resultNow()).isTrue();
        assertThat(third.granted()).isNotDone();
        second.close();
        second.close();
        assertThat(third.granted().resultNow()).isTrue();
        assertThat(budget.request("d", 40, TIMEOUT).granted())
                .as("what was closed twice was given back once")
                .isNotDone();
    }

    @Test
    void aLargeBodyDoesNotStarve() {
        BodyBudget.BudgetPermit small = budget.request("a", 30, TIMEOUT);
        BodyBudget.BudgetPermit large = budget.request("a", 50, TIMEOUT);
        BodyBudget.BudgetPermit next = budget.request("a", 10, TIMEOUT);
        assertThat(next.granted()).isNotDone();
        small.close();
        assertThat(large.granted().resultNow()).isTrue();
        assertThat(next.granted()).isNotDone();
        BodyBudget.BudgetPermit ofAnother = budget.request("b", 20, TIMEOUT);
        BodyBudget.BudgetPermit waitsForAll = budget.request("c", 40, TIMEOUT);
        BodyBudget.BudgetPermit later = budget.request("d", 10, TIMEOUT);
        assertThat(later.granted()).isNotDone();
        ofAnother.close();
        assertThat(waitsForAll.granted().resultNow()).isTrue();
        assertThat(later.granted().resultNow()).isTrue();
    }

    @Test
    void closingLeavesTheQueueAndATimeoutFails() {
        BodyBudget.BudgetPermit held = budget.request("a", 50, TIMEOUT);
        BodyBudget.BudgetPermit left = budget.request("a", 50, TIMEOUT);
        BodyBudget.BudgetPermit late = budget.request("a", 50, Duration.ofMillis(1));
        BodyBudget.BudgetPermit next = budget.request("a", 50, TIMEOUT);
        left.close();
        assertThat(late.granted().join()).isFalse();
        held.close();
        assertThat(left.granted().resultNow()).isFalse();
        assertThat(next.granted().resultNow()).isTrue();
        late.close();
        next.close();
        assertThat(budget.waiting()).isZero();
        assertThat(budget.request("a", 50, TIMEOUT).granted().resultNow()).isTrue();
    }
}
