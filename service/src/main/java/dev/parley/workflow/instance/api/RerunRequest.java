package dev.parley.workflow.instance.api;

import dev.parley.http.constraint.FurtherChecks;
import dev.parley.workflow.instance.run.InstanceService;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The body of a rerun. */
@FurtherChecks
@Schema(name = "RerunRequest")
public record RerunRequest(
        @Schema(
                description = "The first task to run again; null to run all tasks. Tasks that did not complete, and the"
                        + " tasks after them, run again, too.")
        @Nullable
        String fromTask,

        @Schema(
                enumeration = {"same", "latest"},
                defaultValue = "same",
                examples = "latest",
                description = "The version to run: the one of the instance, or the published one. With another version,"
                        + " a task whose kind or outputs changed runs again.")
        @Nullable
        String version,

        @Schema(maxLength = InstanceService.MAX_MESSAGE, description = "Replaces the message; null keeps it.") @Nullable
        String humanMsg,

        @Schema(
                type = SchemaType.ARRAY,
                implementation = RunRequest.FileUrl.class,
                maxItems = InstanceService.MAX_FILES,
                description = "Replaces the files; null keeps them.")
        @Nullable
        List<@Nullable String> fileUrls,

        @Schema(
                type = SchemaType.OBJECT,
                description = "Replace the values of human_input parameters with the same names.")
        @Nullable
        Map<String, @Nullable Object> inputs) {
    static final RerunRequest EMPTY = new RerunRequest(null, null, null, null, null);
}
