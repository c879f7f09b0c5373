package dev.parley.message.api;

import dev.parley.conversation.ConversationRef;
import dev.parley.http.RequestValidator;
import dev.parley.media.FileReference;
import dev.parley.media.FileScope;
import dev.parley.media.StoredFile;
import dev.parley.media.UploadService;
import dev.parley.media.core.FileKind;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The file part of a request to send a media message.
 *
 * @param caption text of the message; empty for none
 */
record MediaPart(String contentType, String filename, String caption) {
    /** Null for a text message; violations are collected. */
    static @Nullable MediaPart check(
            @Nullable String type, @Nullable String filename, @Nullable String caption, RequestValidator validator) {
        String bare = type == null ? "text" : FileKind.type(type).orElse(type.toLowerCase(Locale.ROOT));
        if (bare.equals("text") || bare.equals("text/plain")) {
            validator.require(
                    filename == null, ViolationCode.NOT_ALLOWED, "/filename", "A text message has no '/filename'.");
            return null;
        }
        if (FileKind.type(bare).isEmpty()
                || (filename == null && !FileKind.of(bare).isUploadable())) {
            validator.add(Violation.invalid(
                    ViolationCode.INVALID_FORMAT,
                    "/content_type",
                    "'/content_type' must be text or the MIME type of a media file."));
        } else if (filename == null) {
            validator.add(Violation.missing("/filename"));
        }
        if (caption != null && !caption.isEmpty()) {
            MessageService.checkText(caption, validator);
        }
        return new MediaPart(bare, filename == null ? "" : filename, caption == null ? "" : caption);
    }

    /** Finds and verifies the file, and records its use by the conversation. Blocks. */
    StoredFile attach(UploadService uploads, FileScope scope, ConversationRef conversation) {
        return uploads.attach(
                scope,
                filename,
                contentType,
                FileReference.conversation(
                        scope.organization(), conversation.id(), conversation.teamId(), conversation.workflowId()));
    }
}
