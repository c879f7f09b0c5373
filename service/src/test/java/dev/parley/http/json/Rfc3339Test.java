package dev.parley.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.UuidV7;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class Rfc3339Test {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Property
    void aTimeIsWrittenInUtcWithMilliseconds(
            @ForAll @LongRange(min = -60_000_000_000_000L, max = 250_000_000_000_000L) long millis) {
        Instant time = Instant.ofEpochMilli(millis);
        assertThat(Rfc3339.text(time)).isEqualTo(FORMAT.format(time));
    }

    @Property
    void anIdIsReadAsItWasWrittenWithHyphensOrWithout(@ForAll long high, @ForAll long low) {
        UUID id = new UUID(high, low);
        assertThat(UuidV7.text(id)).isEqualTo(id.toString().replace("-", ""));
        assertThat(UuidV7.parse(UuidV7.text(id))).contains(id);
        assertThat(UuidV7.parse(id.toString())).contains(id);
    }
}
