package dev.parley.bench;

import java.util.Locale;
import java.util.Map;

/** How much data a database is seeded with: by the number of messages, the rest in proportion. */
record GrowthSize(String name, int messages) {
    static final GrowthSize SMALL = new GrowthSize("10k", 10_000);

    private static final Map<String, Integer> MESSAGES = Map.of("100k", 100_000, "1m", 1_000_000, "10m", 10_000_000);

    static GrowthSize of(String name) {
        Integer messages = MESSAGES.get(name);
        if (messages == null) {
            throw new BenchException("--growth takes 100k, 1m or 10m.");
        }
        return new GrowthSize(name, messages);
    }

    int instances() {
        return messages / 10;
    }

    int conversations() {
        return messages / 100;
    }

    int organizations() {
        return messages / 1_000;
    }

    String text() {
        return String.format(
                Locale.ROOT,
                "%,d messages in %,d conversations, %,d instances and %,d organizations",
                messages,
                conversations(),
                instances(),
                organizations());
    }
}
