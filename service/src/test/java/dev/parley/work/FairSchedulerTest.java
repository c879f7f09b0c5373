package dev.parley.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FairSchedulerTest {
    private static final WorkLimits LIMITS = new WorkLimits(600, 200, 32, 8, 20_000, 2_000);

    private final FairScheduler<WorkGroup> scheduler = new FairScheduler<>(LIMITS);
    private final OrganizationId organization = OrganizationId.next();

    private WorkGroup group(String name) {
        return new WorkGroup(organization, name);
    }

    private void offer(WorkGroup group, int count) {
        IntStream.range(0, count)
                .forEach(_ -> assertThat(scheduler.offer(group, group)).isTrue());
    }

    private List<WorkGroup> take(int max) {
        return Stream.generate(scheduler::next)
                .limit(max)
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow)
                .toList();
    }

    @Test
    void groupsTakeTurns() {
        offer(group("a"), 100);
        offer(group("b"), 2);
        assertThat(take(4)).extracting(WorkGroup::name).containsExactly("a", "b", "a", "b");
    }

    @Test
    void runsPerGroupAreLimitedAndFewerForSlowOnes() {
        offer(group("a"), 100);
        assertThat(take(1_000)).hasSize(32);
        assertThat(take(1_000)).isEmpty();
        WorkGroup slow = group("slow");
        offer(slow, 100);
        scheduler.setSlow(slow, true);
        assertThat(take(1_000)).hasSize(8);
        scheduler.setSlow(slow, false);
        assertThat(take(1_000)).hasSize(24);
    }

    @Test
    void anOrganizationCannotTakeAllPlacesByNamingManyGroups() {
        for (int i = 0; i < 100; i++) {
            offer(group("r" + i), 10);
        }
        assertThat(take(1_000)).hasSize(200);
        assertThat(scheduler.hasNext()).isFalse();
        var other = new WorkGroup(OrganizationId.next(), "other");
        offer(other, 1);
        assertThat(scheduler.hasNext()).isTrue();
        assertThat(take(1_000)).containsExactly(other);
    }

    @Test
    void allRunsAreLimited() {
        for (int i = 0; i < 40; i++) {
            offer(new WorkGroup(OrganizationId.next(), "r"), 32);
        }
        assertThat(take(1_000)).hasSize(600);
        assertThat(scheduler.hasNext()).isFalse();
    }

    @Test
    void aRequeuedItemRunsAgainAndAReleasedOneDoesNot() {
        WorkGroup a = group("a");
        offer(a, 1);
        assertThat(take(10)).hasSize(1);
        assertThat(take(10)).isEmpty();
        scheduler.requeue(a, a);
        assertThat(take(10)).hasSize(1);
        scheduler.release(a);
        assertThat(take(10)).isEmpty();
        assertThat(scheduler.running()).isZero();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void refusedItemsAreLookedForWhenThereIsRoomAgain() {
        WorkGroup a = group("a");
        offer(a, LIMITS.keysPerGroup());
        assertThat(scheduler.offer(a, a)).isFalse();
        assertThat(scheduler.pollRoomAfterOverflow()).isFalse();
        List<WorkGroup> taken = take(32);
        while (!taken.isEmpty()) {
            taken.forEach(scheduler::release);
            taken = take(32);
        }
        assertThat(scheduler.pollRoomAfterOverflow()).isTrue();
        assertThat(scheduler.pollRoomAfterOverflow()).isFalse();
    }
}
