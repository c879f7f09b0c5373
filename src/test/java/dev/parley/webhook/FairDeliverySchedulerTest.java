package dev.parley.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.OrganizationId;
import dev.parley.webhook.FairDeliveryScheduler.DeliverySlot;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FairDeliverySchedulerTest {
    private final FairDeliveryScheduler scheduler = new FairDeliveryScheduler();
    private final OrganizationId organization = OrganizationId.next();

    private DeliveryReceiver receiver(String name) {
        return new DeliveryReceiver(organization, "https://" + name);
    }

    private DeliveryQueue offer(DeliveryReceiver receiver) {
        var queue = new DeliveryQueue(receiver.organization(), UUID.randomUUID(), UUID.randomUUID());
        assertThat(scheduler.offer(queue, receiver)).isTrue();
        return queue;
    }

    private void offer(DeliveryReceiver receiver, int count) {
        IntStream.range(0, count).forEach(_ -> offer(receiver));
    }

    @Test
    void receiversTakeTurns() {
        offer(receiver("a"), 100);
        offer(receiver("b"), 2);
        List<DeliverySlot> taken = scheduler.take(4);
        assertThat(taken.stream().map(slot -> slot.receiver().origin()))
                .containsExactly("https://a", "https://b", "https://a", "https://b");
    }

    @Test
    void slotsPerReceiverAreLimitedAndFewerForSlowOnes() {
        DeliveryReceiver a = receiver("a");
        offer(a, 100);
        assertThat(scheduler.take(1_000)).hasSize(32);
        assertThat(scheduler.take(1_000)).isEmpty();
        DeliveryReceiver slow = receiver("slow");
        offer(slow, 100);
        scheduler.recordSpeed(slow, true);
        assertThat(scheduler.take(1_000)).hasSize(8);
        scheduler.recordSpeed(slow, false);
        assertThat(scheduler.take(1_000)).hasSize(24);
    }

    @Test
    void anOrganizationCannotTakeAllPlacesByNamingManyReceivers() {
        for (int i = 0; i < 100; i++) {
            offer(receiver("r" + i), 10);
        }
        assertThat(scheduler.take(1_000)).hasSize(200);
        var other = new DeliveryReceiver(OrganizationId.next(), "https://other");
        offer(other);
        assertThat(scheduler.take(1_000)).extracting(DeliverySlot::receiver).containsExactly(other);
    }

    @Test
    void aQueueRunsOnceAtATime() {
        DeliveryReceiver a = receiver("a");
        DeliveryQueue queue = offer(a);
        assertThat(scheduler.take(10)).hasSize(1);
        assertThat(scheduler.offer(queue, a)).isTrue();
        assertThat(scheduler.take(10)).isEmpty();
        scheduler.requeue(new DeliverySlot(queue, a));
        assertThat(scheduler.take(10)).hasSize(1);
        scheduler.release(new DeliverySlot(queue, a));
        assertThat(scheduler.take(10)).isEmpty();
        assertThat(scheduler.running()).isZero();
        assertThat(scheduler.waiting()).isZero();
    }

    @Test
    void rejectedQueuesAreLookedForWhenThereIsRoomAgain() {
        DeliveryReceiver a = receiver("a");
        offer(a, FairDeliveryScheduler.MAX_WAITING_PER_RECEIVER);
        assertThat(scheduler.offer(new DeliveryQueue(organization, UUID.randomUUID(), UUID.randomUUID()), a))
                .isFalse();
        assertThat(scheduler.pollOverflow()).isFalse();
        List<DeliverySlot> taken = scheduler.take(32);
        while (!taken.isEmpty()) {
            taken.forEach(scheduler::release);
            taken = scheduler.take(32);
        }
        assertThat(scheduler.pollOverflow()).isTrue();
        assertThat(scheduler.pollOverflow()).isFalse();
    }
}
