package dev.parley.tool.source;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** An operation of an OpenAPI description, which may be chosen as a tool. */
@Schema(name = "OfferedOperation")
public record OfferedOperation(
        @Schema(description = "The name of its tool: the operationId, or one made from method and path")
        String name,

        @Schema(examples = "POST") String method,

        @Schema(examples = "/v1/customers") String path,

        String summary,
        List<String> tags,
        boolean deprecated) {
    /** The maximum number of operations of one description; further ones are not offered. */
    public static final int MAX_OPERATIONS = 5_000;

    /** The maximum length of a name or tag by which operations are chosen; longer tags are offered cut. */
    public static final int MAX_CHOICE_LENGTH = 200;

    public OfferedOperation {
        tags = List.copyOf(tags);
    }
}
