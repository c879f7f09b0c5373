package dev.parley.event.delta;

import dev.parley.http.json.StrictJson;
import dev.parley.id.UuidV7;
import dev.parley.id.WorkflowInstanceId;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A text that a model is writing, as far as this node knows it. A reset discards the text and begins a new generation,
 * so that readers discard theirs.
 */
public final class LiveText {
    /** In characters; later pieces are not published. */
    static final int MAX_LENGTH = 128 * 1024;

    /** The members that identify the text in its events, as JSON; they begin with one of these. */
    private static final String MESSAGE = "\"message_id\":";

    private static final String ATTEMPT = ",\"attempt\":";

    private final UUID id;
    private final TextSource source;
    private final String members;
    private final boolean isRemote;
    private final StringBuilder text = new StringBuilder();
    private int generation;
    private boolean ended;
    private boolean complete;
    private long changedAt = System.nanoTime();

    private LiveText(UUID id, TextSource source, String members, boolean isRemote) {
        this.id = id;
        this.source = source;
        this.members = members;
        this.isRemote = isRemote;
    }

    static LiveText ofMessage(UUID message, TextSource source) {
        return new LiveText(message, source, MESSAGE + '"' + UuidV7.text(message) + '"', false);
    }

    /** The members of a task, as JSON. */
    static String task(WorkflowInstanceId instance, String task, @Nullable Integer item) {
        return "\"workflow_instance_id\":\"" + instance.text() + "\",\"task_id\":" + StrictJson.write(task)
                + (item == null ? "" : ",\"item\":" + item);
    }

    /** @param task the members of the task */
    static LiveText ofTask(UUID id, TextSource source, String task, int attempt) {
        return new LiveText(id, source, task + ATTEMPT + attempt, false);
    }

    /** A copy of another node's text. */
    static LiveText copy(UUID id, TextSource source, String members) {
        return new LiveText(id, source, members, true);
    }

    /**
     * The part of a text that a reader has not got.
     *
     * @param generation if it differs from the reader's, the reader's text is void and {@code text} begins anew
     */
    record TextPart(int generation, String text, boolean isEnded) {}

    UUID id() {
        return id;
    }

    public TextSource source() {
        return source;
    }

    String members() {
        return members;
    }

    boolean isMessage() {
        return members.startsWith(MESSAGE);
    }

    /** Whether this is a copy whose node was lost, and the other text replaces it. Ids grow with time. */
    boolean isReplacedBy(LiveText other) {
        return isRemote && id.compareTo(other.id) < 0 && subject().equals(other.subject());
    }

    /** A conversation has one reply at a time, and a task one attempt. */
    String subject() {
        return isMessage() ? MESSAGE : members.substring(0, members.lastIndexOf(ATTEMPT));
    }

    boolean isRemote() {
        return isRemote;
    }

    /** Returns whether the text has grown. */
    synchronized boolean append(String piece) {
        int room = MAX_LENGTH - text.length();
        if (ended || room < piece.length()) {
            return false;
        }
        text.append(piece);
        changedAt = System.nanoTime();
        return true;
    }

    /** Appends a piece that another node sent; false if a piece before it is missing. */
    synchronized boolean accept(int pieceGeneration, int offset, String piece) {
        if (pieceGeneration > generation) {
            text.setLength(0);
            generation = pieceGeneration;
        }
        if (pieceGeneration < generation || offset + piece.length() <= text.length()) {
            return true;
        }
        return offset <= text.length() && append(piece.substring(text.length() - offset));
    }

    /** Makes the text so far void. */
    synchronized void reset() {
        text.setLength(0);
        generation++;
    }

    /** @param isComplete whether the stored reply follows */
    synchronized void end(boolean isComplete) {
        ended = true;
        complete = isComplete;
    }

    /** Whether the text has ended and the stored reply follows. */
    public synchronized boolean isComplete() {
        return complete;
    }

    synchronized boolean isEmpty() {
        return text.isEmpty();
    }

    synchronized boolean isEnded() {
        return ended;
    }

    synchronized long changedAt() {
        return changedAt;
    }

    synchronized TextPart since(int readGeneration, int offset) {
        return new TextPart(generation, text.substring(readGeneration == generation ? offset : 0), ended);
    }
}
