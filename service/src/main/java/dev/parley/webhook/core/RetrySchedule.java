package dev.parley.webhook.core;

import java.time.Duration;
import java.util.List;

/**
 * The retry schedule of webhooks: ten attempts over three days. The delays grow, with jitter, so that deliveries that
 * failed together do not retry together.
 */
public final class RetrySchedule {
    /** The delays before the second and later attempts. */
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofMinutes(30),
            Duration.ofHours(2),
            Duration.ofHours(5),
            Duration.ofHours(10),
            Duration.ofHours(14),
            Duration.ofHours(20),
            Duration.ofHours(24));

    public static final int ATTEMPTS = PAUSES.size() + 1;

    /** The longest delay that a receiver can request. */
    public static final Duration MAX_PAUSE = Duration.ofHours(24);

    /**
     * A failing event older than this is given up regardless of its attempts: it waited behind another failing event,
     * or the receiver requested long delays. Otherwise each event queued for a dead receiver would wait three days
     * longer than the previous one.
     */
    public static final Duration GIVE_UP_AFTER = Duration.ofHours(84);

    /** The maximum relative jitter. */
    private static final double JITTER = 0.1;

    private static final int GONE = 410;

    private RetrySchedule() {}

    /**
     * @param attempts the number of attempts so far, since the event was queued or replayed
     * @param age time since then
     * @param random from 0 to 1
     */
    public static DeliveryStep after(ReceiverResponse response, int attempts, Duration age, double random) {
        return switch (response) {
            case ReceiverResponse.StatusResponse(int code, var _)
            when code >= 200 && code < 300 -> new DeliveryStep.Delivered();
            case ReceiverResponse.StatusResponse(int code, var _) when code == GONE -> new DeliveryStep.ReceiverGone();
            case ReceiverResponse.StatusResponse(var _, var retryAfter) ->
                failed(attempts, age, random, retryAfter.orElse(Duration.ZERO));
            case ReceiverResponse.NoResponse() -> failed(attempts, age, random, Duration.ZERO);
        };
    }

    /**
     * The step after a manual retry, which does not count as an attempt of the schedule.
     *
     * @param age the time since the event was queued or replayed
     * @param planned the time until the attempt that the schedule plans; a longer Retry-After is respected
     */
    public static DeliveryStep afterManualRetry(ReceiverResponse response, Duration age, Duration planned) {
        DeliveryStep step = after(response, 1, age, 0);
        return step instanceof DeliveryStep.RetryDelivery(Duration pause) && pause.compareTo(planned) < 0
                ? new DeliveryStep.RetryDelivery(planned)
                : step;
    }

    private static DeliveryStep failed(int attempts, Duration age, double random, Duration minPause) {
        if (attempts >= ATTEMPTS || age.compareTo(GIVE_UP_AFTER) >= 0) {
            return new DeliveryStep.GivenUp();
        }
        Duration pause = PAUSES.get(attempts - 1);
        double factor = 1 - JITTER + 2 * JITTER * random;
        Duration jittered = Duration.ofMillis(Math.round(pause.toMillis() * factor));
        Duration bounded = minPause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : minPause;
        return new DeliveryStep.RetryDelivery(jittered.compareTo(bounded) > 0 ? jittered : bounded);
    }
}
