package dev.parley.message;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.parley.http.json.StrictJson;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a SYSTEM message reports, for programs: {@code metadata.notice}. {@code docs/reference/errors.md} is written from
 * the constants.
 */
public enum NoticeCode {
    TICKET_OPENED("A task of the run waits for a person.", "Answer the ticket of `ticket_id`.", "title"),
    INSTANCE_FAILED("The run failed.", "Read the instance; correct the cause and run it again.", "error, detail"),
    INSTANCE_CANCELLED("The run was cancelled by a request.", "None.", "error, detail"),
    INSTANCE_TERMINATED("The service or an operator ended the run.", "Read the instance.", "error, detail"),
    WORKFLOW_NOT_STARTED(
            "The message started no run; `problem` is the code of the error.",
            "Correct the cause, and send the message again.",
            "problem, detail"),
    REPLY_STOPPED("The reply to the message was stopped by a request.", "None.", ""),
    REPLY_FAILED("The model gave no usable reply.", "Send the message again.", "detail"),
    MODEL_UNAVAILABLE("The model did not respond for a long time.", "Send the message again later.", ""),
    BUDGET_EXCEEDED(
            "A budget does not allow the reply to the message.",
            "Send the message again after `resets_at`, or raise the budget.",
            "detail, resets_at"),
    MESSAGE_FAILED(
            "A fault of the service prevented the processing of the message.",
            "Report it with the id of the message.",
            "");

    private final String cause;
    private final String remedy;
    private final String params;

    NoticeCode(String cause, String remedy, String params) {
        this.cause = cause;
        this.remedy = remedy;
        this.params = params;
    }

    /** The code in JSON. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String cause() {
        return cause;
    }

    public String remedy() {
        return remedy;
    }

    /** The names of the parameters that a notice with the code may have, separated by commas. */
    public String params() {
        return params;
    }

    /** The metadata of a message with this notice, as compact JSON. */
    public String metadata(Map<String, String> values) {
        Map<String, String> storable = new TreeMap<>(values);
        storable.replaceAll((_, value) -> StorableText.storable(value));
        return StrictJson.write(Map.of("notice", new NoticeArea(this, storable)));
    }

    private record NoticeArea(NoticeCode code, Map<String, String> params) {}
}
