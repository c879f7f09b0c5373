package dev.parley.http.openapi;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.parley.problem.Violation;
import jakarta.ws.rs.core.Application;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeIn;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The general part of the OpenAPI documents; {@link OperationFilter} adds the errors to each operation. */
@OpenAPIDefinition(
        info = @Info(title = "Parley", version = "1"), // The configuration has each document's own.
        tags = {
            @Tag(name = "Conversations", description = "Chats with a model or with a workflow"),
            @Tag(name = "Messages", description = "Messages of clients, people and the service in conversations"),
            @Tag(name = "Media", description = "Uploads and downloads of files"),
            @Tag(name = "Workflow instances", description = "Runs of workflows: start, follow and control them"),
            @Tag(name = "Live events", description = "Server-sent events of conversations and workflow instances"),
            @Tag(name = "Sign-in", description = "Accounts, sessions, passwords and the first user"),
            @Tag(name = "Organizations", description = "Organizations of the installation and of the signed-in user"),
            @Tag(name = "Nodes", description = "Processes of the installation, for operators"),
            @Tag(name = "Overview", description = "Figures for the start page of an organization"),
            @Tag(name = "Workflows", description = "Workflow documents: drafts, versions and templates"),
            @Tag(name = "Code artifacts", description = "Programs that Coder tasks run"),
            @Tag(name = "Data lakes", description = "Tables that tasks read"),
            @Tag(name = "Models", description = "Models of an organization, and their providers"),
            @Tag(name = "Budgets", description = "Limits of what models may use, and what they used"),
            @Tag(name = "Tools", description = "Tools that tasks and models call, and their providers"),
            @Tag(name = "Tickets", description = "Tasks and decisions that wait for a person"),
            @Tag(name = "Emails", description = "Emails that the service sent"),
            @Tag(name = "Members", description = "Members of an organization, and invitations"),
            @Tag(name = "Teams", description = "Teams of an organization"),
            @Tag(name = "API keys", description = "Keys for the developer API"),
            @Tag(name = "Webhooks", description = "Webhook endpoints, their secret, and deliveries"),
            @Tag(name = "Audit log", description = "Changes that people made"),
        },
        components =
                @Components(
                        schemas = @Schema(name = "Problem", implementation = ApiDescription.ErrorBody.class),
                        securitySchemes = {
                            @SecurityScheme(
                                    securitySchemeName = ApiDescription.API_KEY,
                                    type = SecuritySchemeType.HTTP,
                                    scheme = "bearer",
                                    description = "`Authorization: Bearer sk-…`"),
                            @SecurityScheme(
                                    securitySchemeName = ApiDescription.SESSION,
                                    type = SecuritySchemeType.APIKEY,
                                    in = SecuritySchemeIn.COOKIE,
                                    apiKeyName = "parley_session",
                                    description =
                                            "Set by `POST /dashboard/api/login`. A request that changes something must come from the "
                                                    + "dashboard's origin or carry `X-Requested-With: parley`.")
                        }))
public final class ApiDescription extends Application {
    /** The name of the document with the routes of the dashboard. */
    public static final String DASHBOARD = "dashboard";

    public static final String API_KEY = "apiKey";
    public static final String SESSION = "session";

    /** The shape of every error. */
    @Schema(name = "Problem", description = "The body of every error")
    public record ErrorBody(
            @Schema(description = "Short title, stable for each kind of error", examples = "Not found")
            String error,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "One sentence; absent only when the key is not authorized for a workflow")
            @Nullable
            String detail,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(
                    description = "The error for programs; docs/reference/errors.md lists the codes. Absent from the"
                            + " bodies for a key that is missing, not valid or not authorized for a workflow",
                    examples = "validation_failed")
            @Nullable
            String code,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "Every violation, sorted by path")
            @Nullable
            List<Violation> errors,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(
                    description = "With 412: the author of the last change",
                    examples = "user:0192f0c1a2b37c4d8e5f60718293a4b5")
            @Nullable
            String changedBy,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "With 412: the time of the last change")
            @Nullable
            Instant changedAt,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "With 412: the current entity tag")
            @Nullable
            String etag,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "With 409: the current status of the workflow instance or the ticket")
            @Nullable
            String status,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "With 409 of a ticket: the status of its workflow instance, if it is the reason")
            @Nullable
            String workflowInstanceStatus,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(
                    description =
                            "With 400 of a workbook: the refused sheet, if there is one, and then the other visible"
                                    + " ones, at most 200; another may be a table")
            @Nullable
            List<String> sheets,

            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "With `in_use`: published workflows that prevent the change, at most 10")
            @Nullable
            List<BlockingWorkflow> workflows) {}

    /** A workflow in {@code workflows} of an error. */
    @Schema(description = "A published workflow that prevents a change")
    public record BlockingWorkflow(
            String name,

            @Schema(
                    description = "Why it would break; empty if its use is the reason",
                    examples = "[\"needs the missing column 'amount'\"]")
            List<String> reasons) {}
}
