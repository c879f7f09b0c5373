package dev.parley.http;

import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.jspecify.annotations.Nullable;

/** The schema of ids in requests: 32 hex digits in either case, optionally with the hyphens of a UUID. */
public final class IdSchema {
    private static final String HEX = "([0-9a-fA-F]{32}|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})";

    /** The pattern of ids. */
    public static final String ID = "^" + HEX + "$";

    /** The component schema of {@link #create}. */
    public static final String NAME = "#/components/schemas/Id";

    public static final String EVENT_ID = "^(evt_)?" + HEX + "$";

    /** The members named like ids that are none, or not always. */
    private static final Set<String> OTHERS = Set.of("assignee_id", "task_id");

    private IdSchema() {}

    /** Whether a member of a request is an id by its name. */
    public static boolean isId(String member) {
        return member.endsWith("_id") && !OTHERS.contains(member);
    }

    public static Schema create() {
        return OASFactory.createSchema()
                .addType(Schema.SchemaType.STRING)
                .pattern(ID)
                .description("32 hex digits; the hyphens of a UUID are accepted");
    }

    /** A string must be an id; an integer must be positive. */
    public static void constrain(@Nullable Schema schema) {
        if (schema == null || schema.getType() == null) {
            return;
        }
        List<Schema.SchemaType> types = schema.getType();
        if (types.contains(Schema.SchemaType.STRING)) {
            schema.setPattern(ID);
        } else if (types.contains(Schema.SchemaType.INTEGER)) {
            schema.setMinimum(BigDecimal.ONE);
        }
    }
}
