package dev.parley.http;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.regex.Pattern;

/**
 * Keeps the meters of requests few. What a filter refuses never reaches a route whose template could name it, so its
 * path would be a tag of its own, ids and all, and strangers could make as many as they like.
 */
@Singleton
public final class RequestMetrics {
    private static final String REQUESTS = "http.server.requests";
    private static final String PATH = "uri";
    private static final Pattern ID = Pattern.compile("(?<=/)(\\d+|[0-9a-fA-F-]{32,36})(?=/|$)");

    @Produces
    @Singleton
    MeterFilter fewPaths() {
        return new MeterFilter() {
            @Override
            public Meter.Id map(Meter.Id id) {
                String path = id.getName().equals(REQUESTS) ? id.getTag(PATH) : null;
                if (path == null) {
                    return id;
                }
                String name = "401".equals(id.getTag("status"))
                        ? "UNAUTHENTICATED"
                        : ID.matcher(path).replaceAll("{id}");
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
