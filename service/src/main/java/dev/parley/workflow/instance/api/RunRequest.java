package dev.parley.workflow.instance.api;

import dev.parley.http.RequestValidator;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.instance.run.InstanceService;
import dev.parley.workflow.instance.view.InstanceView;
import jakarta.ws.rs.QueryParam;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.headers.Header;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jspecify.annotations.Nullable;

/** A request that starts an instance and waits for it. */
public class RunRequest {
    private static final int DEFAULT_WAIT_SECONDS = 30;
    private static final int MAX_WAIT_SECONDS = 120;

    @Parameter(
            schema = @Schema(type = SchemaType.INTEGER, minimum = "0", maximum = "120", defaultValue = "30"),
            description = "Maximum time to wait; 0 starts the instance asynchronously.")
    @QueryParam("wait_seconds")
    @Nullable
    String waitSeconds;

    /** The items of {@code file_urls} in the OpenAPI documents. */
    @Schema(
            name = "FileUrl",
            type = SchemaType.STRING,
            maxLength = InstanceService.MAX_URL,
            description = "An http, https or s3 URL",
            examples = "https://example.com/invoice.pdf")
    interface FileUrl {}

    /** Its responses. */
    @APIResponse(
            responseCode = "200",
            description = "The instance ended or was paused",
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(
            responseCode = "202",
            description = "The instance is still running",
            headers = @Header(name = "Location", schema = @Schema(type = SchemaType.STRING)),
            content = @Content(schema = @Schema(implementation = InstanceView.class)))
    @APIResponse(responseCode = "429", description = "Too many instances run at once")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface RunResponses {}

    int waitSeconds(RequestValidator validator) {
        int seconds = waitSeconds == null
                ? DEFAULT_WAIT_SECONDS
                : waitSeconds.matches("[0-9]{1,3}") ? Integer.parseInt(waitSeconds) : -1;
        validator.requireParameter(
                seconds >= 0 && seconds <= MAX_WAIT_SECONDS,
                ViolationCode.OUT_OF_RANGE,
                "wait_seconds",
                "'wait_seconds' must be a whole number from 0 to 120.",
                Map.of("min", 0, "max", MAX_WAIT_SECONDS));
        return seconds;
    }
}
