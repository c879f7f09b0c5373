package dev.parley.message;

import dev.parley.conversation.ConversationRef;
import dev.parley.http.Caller;
import dev.parley.http.Checks;
import dev.parley.media.FileUse;
import dev.parley.media.FileView;
import dev.parley.media.StoredFile;
import dev.parley.media.Uploads;
import dev.parley.problem.Fault;
import org.jspecify.annotations.Nullable;

/**
 * What a request to send a media message says of its file (specification 4.3).
 *
 * @param caption a text beside the file; empty for none
 */
record MediaPart(String contentType, String filename, String caption) {
    /** Null for a text message; faults are noted. */
    static @Nullable MediaPart check(MessageResource.Request request, Checks checks) {
        String type = request.contentType();
        if (type == null || type.equals("text") || type.equals("text/plain")) {
            return null;
        }
        String filename = request.filename();
        if (filename == null) {
            checks.add(Fault.missing("/filename"));
        }
        String caption = request.content();
        if (caption != null && !caption.isEmpty()) {
            Messages.checkText(caption, checks);
        }
        return new MediaPart(type, filename == null ? "" : filename, caption == null ? "" : caption);
    }

    /** Finds and checks the file, and notes that the conversation uses it. Blocks. */
    StoredFile attach(Uploads uploads, Caller caller, ConversationRef conversation) {
        return uploads.attach(
                FileView.of(caller),
                filename,
                contentType,
                FileUse.conversation(
                        caller.organization(), conversation.id(), conversation.teamId(), conversation.workflowId()));
    }
}
