package dev.parley.ratelimit.core;

import java.util.ArrayList;
import java.util.List;

/**
 * The permits of the last minute, newest last. Each counts for exactly 60 seconds, so no 60-second window exceeds the
 * limit; a token bucket would admit nearly twice the limit in its first minute. With more than
 * {@link #MAX_EXACT_ENTRIES} entries, permits within half a second are merged, which keeps the row small.
 */
public record SlidingMinute(List<PermitLot> taken) {
    public static final int WINDOW_SECONDS = 60;
    public static final SlidingMinute EMPTY = new SlidingMinute(List.of());

    private static final long WINDOW_MILLIS = WINDOW_SECONDS * 1_000L;

    /** Covers the default limit. */
    private static final int MAX_EXACT_ENTRIES = 100;

    private static final long MERGE_MILLIS = 500;

    /** Permits acquired at a millisecond of the Unix clock. */
    public record PermitLot(long at, int permits) {}

    /**
     * The result of {@link #acquire}.
     *
     * @param granted the number of permits, at most as many as requested
     */
    public record GrantResult(SlidingMinute after, int granted) {}

    public SlidingMinute {
        taken = List.copyOf(taken);
    }

    /** Acquires up to {@code wanted} permits of {@code limit}. */
    public GrantResult acquire(long now, int limit, int wanted) {
        List<PermitLot> current = new ArrayList<>();
        for (PermitLot entry : taken) {
            if (isWithinWindow(entry, now)) {
                // After a clock was set back, a client must still wait at most a minute.
                current.add(entry.at <= now ? entry : new PermitLot(now, entry.permits));
            }
        }
        int granted = Math.min(remaining(now, limit), wanted);
        if (granted > 0) {
            PermitLot last = current.isEmpty() ? null : current.getLast();
            if (last != null
                    && (last.at == now || (current.size() >= MAX_EXACT_ENTRIES && now - last.at < MERGE_MILLIS))) {
                current.set(current.size() - 1, new PermitLot(last.at, last.permits + granted));
            } else {
                current.add(new PermitLot(now, granted));
            }
        }
        return new GrantResult(new SlidingMinute(current), granted);
    }

    /** The number of available permits. */
    public int remaining(long now, int limit) {
        return (int) Math.max(0, limit - used(now));
    }

    /** Seconds until another permit expires and becomes available, from 1 to 60; 60 if none is acquired. */
    public int secondsToNext(long now, int limit) {
        long left = used(now);
        for (PermitLot entry : taken) {
            if (isWithinWindow(entry, now)) {
                left -= entry.permits;
                if (left < limit) {
                    return Math.clamp(Math.ceilDiv(entry.at + WINDOW_MILLIS - now, 1_000L), 1, WINDOW_SECONDS);
                }
            }
        }
        return WINDOW_SECONDS;
    }

    /** Returns unused permits, newest first. */
    public SlidingMinute release(int permits) {
        List<PermitLot> left = new ArrayList<>(taken);
        int remaining = permits;
        while (remaining > 0 && !left.isEmpty()) {
            PermitLot last = left.removeLast();
            if (last.permits > remaining) {
                left.add(new PermitLot(last.at, last.permits - remaining));
                break;
            }
            remaining -= last.permits;
        }
        return new SlidingMinute(left);
    }

    /** Comma-separated pairs {@code millisecond:permits}. */
    public String text() {
        var text = new StringBuilder();
        for (PermitLot entry : taken) {
            text.append(text.isEmpty() ? "" : ",").append(entry.at).append(':').append(entry.permits);
        }
        return text.toString();
    }

    public static SlidingMinute parse(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        List<PermitLot> taken = new ArrayList<>();
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            taken.add(new PermitLot(
                    Long.parseLong(pair.substring(0, colon)), Integer.parseInt(pair.substring(colon + 1))));
        }
        return new SlidingMinute(taken);
    }

    private static boolean isWithinWindow(PermitLot entry, long now) {
        return entry.at > now - WINDOW_MILLIS;
    }

    private long used(long now) {
        long used = 0;
        for (PermitLot entry : taken) {
            if (isWithinWindow(entry, now)) {
                used += entry.permits;
            }
        }
        return used;
    }
}
