package dev.parley.attachment;

import dev.parley.llm.ChatFile;
import java.util.List;

/** Files for a model, in the order in which they were named. Closing gives back the room that their pictures take. */
public final class OpenAttachments implements AutoCloseable {
    private final List<ChatFile> files;
    private final Runnable release;

    OpenAttachments(List<ChatFile> files, Runnable release) {
        this.files = List.copyOf(files);
        this.release = release;
    }

    /** One for each file that was asked for; those that the model does not get say why. */
    public List<ChatFile> files() {
        return files;
    }

    @Override
    public void close() {
        release.run();
    }
}
