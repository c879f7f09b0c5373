package dev.parley.usage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class UsageMetricTest {
    @Property
    void aDurationIsNotAboveItsBucketAndNotFarBelow(@ForAll @LongRange(min = 1, max = 604_800_000) long millis) {
        int bucket = UsageMetric.bucket(Duration.ofMillis(millis));

        assertThat((double) millis).isLessThanOrEqualTo(UsageMetric.upperMillis(bucket) * 1.000_001);
        if (bucket > 0) {
            assertThat((double) millis).isGreaterThan(UsageMetric.upperMillis(bucket - 1) * 0.999_999);
        }
    }

    @Test
    void quantilesAreReadFromTheBuckets() {
        Map<String, Long> counts = new HashMap<>();
        for (int millis = 1; millis <= 1_000; millis++) {
            counts.merge(UsageMetric.DURATION + UsageMetric.bucket(Duration.ofMillis(millis)), 1L, Long::sum);
        }

        assertThat(UsageReport.quantile(counts, 0.5)).isBetween(490L, 510L);
        assertThat(UsageReport.quantile(counts, 0.95)).isBetween(930L, 970L);
        assertThat(UsageReport.quantile(Map.of(), 0.5)).isNull();
    }
}
