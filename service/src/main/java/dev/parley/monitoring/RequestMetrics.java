package dev.parley.monitoring;

import dev.parley.http.filter.RequestFilter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Limits the number of request meters. A request rejected by a filter has no route template, so its raw path, including
 * ids, would become a tag value, and unauthenticated clients could create any number of them.
 */
@Singleton
public final class RequestMetrics {
    private static final String REQUESTS = "http.server.requests";
    private static final String PATH = "uri";

    @Produces
    @Singleton
    MeterFilter limitPaths() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                String path = id.getName().equals(REQUESTS) ? id.getTag(PATH) : null;
                if (path == null) {
                    return id;
                }
                String name = "401".equals(id.getTag("status")) ? "UNAUTHENTICATED" : RequestFilter.withoutIds(path);
                return name.equals(path) ? id : id.replaceTags(withPath(id, name));
            }
        };
    }

    private static Iterable<Tag> withPath(Meter.Id id, String path) {
        return id.getTags().stream()
                .map(tag -> tag.getKey().equals(PATH) ? Tag.of(PATH, path) : tag)
                .toList();
    }
}
