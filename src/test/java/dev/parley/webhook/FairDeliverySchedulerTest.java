package dev.parley.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import dev.parley.webhook.FairDeliveryScheduler.DeliverySlot;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairDeliverySchedulerTest {
    private final FairDeliveryScheduler turns = new FairDeliveryScheduler();
    private final OrganizationId organization = OrganizationId.next();

    private DeliveryReceiver receiver(String name) {
        return new DeliveryReceiver(organization, "https://" + name);
    }

    private DeliveryQueue offer(DeliveryReceiver receiver) {
        var lane = new DeliveryQueue(receiver.organization(), UUID.randomUUID(), UUID.randomUUID());
        assertThat(turns.offer(lane, receiver)).isTrue();
        return lane;
    }

    private void offer(DeliveryReceiver receiver, int count) {
        IntStream.range(0, count).forEach(_ -> offer(receiver));
    }

    @Test
    void receiversTakeTurns() {
        offer(receiver("a"), 100);
        offer(receiver("b"), 2);
        List<DeliverySlot> taken = turns.take(4);
        assertThat(taken.stream().map(turn -> turn.receiver().origin()))
                .containsExactly("https://a", "https://b", "https://a", "https://b");
    }

    @Test
    void slotsPerReceiverAreLimitedAndFewerForSlowOnes() {
        DeliveryReceiver a = receiver("a");
        offer(a, 100);
        assertThat(turns.take(1_000)).hasSize(32);
        assertThat(turns.take(1_000)).isEmpty();
        DeliveryReceiver slow = receiver("slow");
        offer(slow, 100);
        turns.measured(slow, true);
        assertThat(turns.take(1_000)).hasSize(8);
        turns.measured(slow, false);
        assertThat(turns.take(1_000)).hasSize(24);
    }

    @Test
    void anOrganizationCannotTakeAllPlacesByNamingManyReceivers() {
        for (int i = 0; i < 100; i++) {
            offer(receiver("r" + i), 10);
        }
        assertThat(turns.take(1_000)).hasSize(200);
        var other = new DeliveryReceiver(OrganizationId.next(), "https://other");
        offer(other);
        assertThat(turns.take(1_000)).extracting(DeliverySlot::receiver).containsExactly(other);
    }

    @Test
    void aQueueRunsOnceAtATime() {
        DeliveryReceiver a = receiver("a");
        DeliveryQueue lane = offer(a);
        assertThat(turns.take(10)).hasSize(1);
        assertThat(turns.offer(lane, a)).isTrue();
        assertThat(turns.take(10)).isEmpty();
        turns.again(new DeliverySlot(lane, a));
        assertThat(turns.take(10)).hasSize(1);
        turns.end(new DeliverySlot(lane, a));
        assertThat(turns.take(10)).isEmpty();
        assertThat(turns.running()).isZero();
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void rejectedQueuesAreLookedForWhenThereIsRoomAgain() {
        DeliveryReceiver a = receiver("a");
        offer(a, FairDeliveryScheduler.WAITING_OF_RECEIVER);
        assertThat(turns.offer(new DeliveryQueue(organization, UUID.randomUUID(), UUID.randomUUID()), a))
                .isFalse();
        assertThat(turns.hasRoomAgain()).isFalse();
        List<DeliverySlot> taken = turns.take(32);
        while (!taken.isEmpty()) {
            taken.forEach(turns::end);
            taken = turns.take(32);
        }
        assertThat(turns.hasRoomAgain()).isTrue();
        assertThat(turns.hasRoomAgain()).isFalse();
    }
}
