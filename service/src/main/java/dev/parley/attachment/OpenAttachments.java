package dev.parley.attachment;

import dev.parley.llm.ChatFile;
import java.util.List;

/** Files for a model, in the given order. Closing releases the memory of their images. */
public final class OpenAttachments implements AutoCloseable {
    private final List<ChatFile> files;
    private final Runnable release;

    OpenAttachments(List<ChatFile> files, Runnable release) {
        this.files = List.copyOf(files);
        this.release = release;
    }

    /** One for each requested file; those that the model does not get carry the reason. */
    public List<ChatFile> files() {
        return files;
    }

    @Override
    public void close() {
        release.run();
    }
}
