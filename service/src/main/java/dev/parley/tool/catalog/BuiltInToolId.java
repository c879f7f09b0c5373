package dev.parley.tool.catalog;

import dev.parley.http.json.RawJson;
import dev.parley.http.json.StrictJson;
import java.util.Arrays;
import java.util.Optional;

/**
 * The tools of the built-in provider. Definitions contain their ids, so they never change; ids of organizations' own
 * tools start at {@link #FIRST_OWN_ID}.
 */
public enum BuiltInToolId {
    HTTP_REQUEST(
            1,
            "http.request",
            "HTTP request",
            "Sends an HTTP request to a public address and returns the response's status, headers and body.",
            """
            {"type": "object",
             "properties": {
               "url": {"type": "string", "description": "Absolute http or https URL", "maxLength": 2048},
               "method": {"type": "string", "enum": ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"],
                          "description": "Default: GET, or POST if there is a body"},
               "query": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]},
                         "description": "Parameters to add to the URL"},
               "headers": {"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]},
                           "description": "Headers of the request"},
               "body": {"description": "Text is sent unchanged; an object or an array is sent as JSON"}},
             "required": ["url"],
             "additionalProperties": false}""",
            """
            {"type": "object",
             "properties": {
               "status": {"type": "integer"},
               "headers": {"type": "object"},
               "body": {"type": "string"},
               "json": {"description": "The parsed body, if it is JSON"}},
             "required": ["status", "headers", "body"]}"""),
    EMAIL_SEND(
            2,
            "email.send",
            "Send an email",
            "Sends an email to members of the organization, or to addresses that the operator allows.",
            """
            {"type": "object",
             "properties": {
               "to": {"description": "An address, several separated by commas, or an array of addresses",
                      "anyOf": [{"type": "string", "minLength": 3, "maxLength": 5000},
                                {"type": "array", "items": {"type": "string", "minLength": 3, "maxLength": 5000},
                                 "minItems": 1}]},
               "subject": {"type": "string", "minLength": 1, "maxLength": 1000},
               "text": {"type": "string", "maxLength": 100000},
               "html": {"type": "string", "maxLength": 100000, "description": "The same text as HTML; optional"}},
             "required": ["to", "subject", "text"],
             "additionalProperties": false}""",
            """
            {"type": "object", "properties": {"recipients": {"type": "integer"}}, "required": ["recipients"]}"""),
    /** It waits for at most the 366 days of {@code TimeWaitTool.MAX_WAIT}. */
    TIME_WAIT(
            3,
            "time.wait",
            "Wait for a time",
            "Waits for a number of seconds or until a time, at most a year. For App tasks only.",
            """
            {"type": "object",
             "properties": {
               "seconds": {"type": "number", "minimum": 0, "maximum": 31622400, "description": "How long to wait"},
               "until": {"type": "string",
                         "description": "When to continue, such as 2030-01-31T09:30:00Z; a past time does not wait"}},
             "oneOf": [{"required": ["seconds"]}, {"required": ["until"]}],
             "additionalProperties": false}""",
            """
            {"type": "object",
             "properties": {"resumed_at": {"type": "string", "format": "date-time"}},
             "required": ["resumed_at"]}"""),
    EVENT_WAIT(
            4,
            "event.wait",
            "Wait for an event",
            "Waits for a POST of a JSON object to the task's resume_url; its members are the outputs. For App tasks"
                    + " only.",
            """
            {"type": "object",
             "properties": {
               "expires_in_seconds": {
                 "type": "integer", "minimum": 1, "maximum": 31622400,
                 "description": "How long to wait, by default 7 days; then the task fails with the error Expired"}},
             "additionalProperties": false}""",
            """
            {"type": "object"}""");

    /** The provider's name in definitions. */
    public static final String PROVIDER = "builtin";

    public static final int PROVIDER_ID = 1;

    /** The smallest id of an organization's own provider or tool. */
    public static final int FIRST_OWN_ID = 1000;

    @SuppressWarnings("ImmutableEnumChecker") // A record of texts, numbers and times.
    private final Tool catalogueEntry;

    BuiltInToolId(int id, String name, String title, String description, String inputSchema, String outputSchema) {
        this.catalogueEntry = new Tool(
                id,
                name,
                PROVIDER,
                PROVIDER_ID,
                title,
                description,
                json(inputSchema),
                json(outputSchema),
                true,
                null,
                null);
    }

    private static RawJson json(String schema) {
        return new RawJson(StrictJson.write(StrictJson.readObject(schema)));
    }

    public int id() {
        return catalogueEntry.toolId();
    }

    public Tool catalogueEntry() {
        return catalogueEntry;
    }

    /** Whether a call suspends its task. */
    boolean waits() {
        return this == TIME_WAIT || this == EVENT_WAIT;
    }

    public static Optional<BuiltInToolId> of(int id) {
        return Arrays.stream(values()).filter(tool -> tool.id() == id).findFirst();
    }
}
