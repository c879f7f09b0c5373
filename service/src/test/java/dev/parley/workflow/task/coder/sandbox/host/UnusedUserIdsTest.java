package dev.parley.workflow.task.coder.sandbox.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UnusedUserIdsTest {
    private static final String WHOLE_MACHINE = "         0          0 4294967295";
    private static final String CONTAINER = "         0     100000      65536";

    @Test
    void theRangeLiesWithinTheUserNamespace() {
        assertThat(range(WHOLE_MACHINE, WHOLE_MACHINE).first()).isEqualTo(1_879_048_192L);
        assertThat(range(CONTAINER, CONTAINER)).isEqualTo(new UnusedUserIds(30_000, 30_000));
        assertThat(range(WHOLE_MACHINE, CONTAINER)).isEqualTo(new UnusedUserIds(30_000, 30_000));
        assertThat(UnusedUserIds.in(List.of("0 1000 1"), List.of("0 1000 1"))).isEmpty();
        assertThat(UnusedUserIds.in(List.of(), List.of())).isEmpty();
    }

    @Test
    void everyChildGetsAnother() {
        UnusedUserIds ids = range(WHOLE_MACHINE, WHOLE_MACHINE);
        Set<Long> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            seen.add(ids.next());
        }
        assertThat(seen).hasSize(100).allMatch(id -> id >= ids.first() && id < ids.first() + ids.count());
    }

    private static UnusedUserIds range(String userIds, String groupIds) {
        return UnusedUserIds.in(List.of(userIds), List.of(groupIds)).orElseThrow();
    }
}
