package dev.parley.ratelimit.core;

import java.util.ArrayList;
import java.util.List;

/**
 * What was taken in each second of the last minute, newest last. A permit counts for 60 seconds after the second in
 * which it was taken, so that no minute, wherever it begins, holds more than the limit. A bucket that refills instead
 * would let nearly twice the limit through in its first minute.
 */
public record SlidingMinute(List<Taken> taken) {
    public static final int WINDOW_SECONDS = 60;
    public static final SlidingMinute EMPTY = new SlidingMinute(List.of());

    /** Permits taken within one second of the Unix clock. */
    public record Taken(long second, int permits) {}

    /**
     * The answer to {@link #take}.
     *
     * @param granted how many permits were given, at most as many as were wanted
     * @param remaining how many could still be given now
     * @param retrySeconds seconds until a permit comes free, at least 1, at most 61
     */
    public record Result(SlidingMinute after, int granted, int remaining, int retrySeconds) {}

    public SlidingMinute {
        taken = List.copyOf(taken);
    }

    /** Takes up to {@code wanted} permits of {@code limit} in the given second. */
    public Result take(long second, int limit, int wanted) {
        List<Taken> current = new ArrayList<>();
        long used = 0;
        for (Taken entry : taken) {
            // Taken at the end of its second, a permit is not a minute old when that second is 60 back.
            if (entry.second >= second - WINDOW_SECONDS) {
                current.add(entry);
                used += entry.permits;
            }
        }
        int free = (int) Math.max(0, limit - used);
        int granted = Math.min(free, wanted);
        if (granted > 0) {
            Taken last = current.isEmpty() ? null : current.getLast();
            // Another node's clock may be ahead: what is taken counts from the later second.
            if (last != null && last.second >= second) {
                current.set(current.size() - 1, new Taken(last.second, last.permits + granted));
            } else {
                current.add(new Taken(second, granted));
            }
        }
        long oldest = current.isEmpty() ? second : current.getFirst().second;
        int retry = Math.clamp(oldest + WINDOW_SECONDS + 1 - second, 1, WINDOW_SECONDS + 1);
        return new Result(new SlidingMinute(current), granted, free - granted, retry);
    }

    /** Gives back permits that were taken but not used, the newest first. */
    public SlidingMinute giveBack(int permits) {
        List<Taken> left = new ArrayList<>(taken);
        int remaining = permits;
        while (remaining > 0 && !left.isEmpty()) {
            Taken last = left.removeLast();
            if (last.permits > remaining) {
                left.add(new Taken(last.second, last.permits - remaining));
                break;
            }
            remaining -= last.permits;
        }
        return new SlidingMinute(left);
    }

    /** As text: {@code second:permits} pairs with commas. */
    public String text() {
        var text = new StringBuilder();
        for (Taken entry : taken) {
            text.append(text.isEmpty() ? "" : ",")
                    .append(entry.second)
                    .append(':')
                    .append(entry.permits);
        }
        return text.toString();
    }

    public static SlidingMinute parse(String text) {
        if (text.isEmpty()) {
            return EMPTY;
        }
        List<Taken> taken = new ArrayList<>();
        for (String pair : text.split(",", -1)) {
            int colon = pair.indexOf(':');
            taken.add(new Taken(Long.parseLong(pair.substring(0, colon)), Integer.parseInt(pair.substring(colon + 1))));
        }
        return new SlidingMinute(taken);
    }
}
