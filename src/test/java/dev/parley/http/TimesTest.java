package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.id.Uuids;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class TimesTest {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    @Property
    void aTimeIsWrittenInUtcWithMilliseconds(
            @ForAll @LongRange(min = -60_000_000_000_000L, max = 250_000_000_000_000L) long millis) {
        Instant time = Instant.ofEpochMilli(millis);
        assertThat(Times.text(time)).isEqualTo(FORMAT.format(time));
    }

    @Property
    void anIdIsReadAsItWasWrittenWithHyphensOrWithout(@ForAll long high, @ForAll long low) {
        UUID id = new UUID(high, low);
        assertThat(Uuids.text(id)).isEqualTo(id.toString().replace("-", ""));
        assertThat(Uuids.parse(Uuids.text(id))).contains(id);
        assertThat(Uuids.parse(id.toString())).contains(id);
    }
}
