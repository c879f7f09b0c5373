package dev.parley.workflow.definition.core;

import org.jspecify.annotations.Nullable;

/**
 * Where an input parameter's rows come from (specification 2.6, "Data source").
 *
 * @param dataLakeId set for {@link Kind#DATA_LAKE} only
 */
public record DataSource(Kind kind, @Nullable String dataLakeId) {
    /** The default: memory, which needs no further settings. */
    public static final DataSource MEMORY = new DataSource(Kind.MEMORY, null);

    /** The kinds of sources. */
    public enum Kind {
        MEMORY,
        DATA_LAKE
    }
}
