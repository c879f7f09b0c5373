package dev.parley.workflow.task.coder.child;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;

/**
 * What service and child say to each other, over the child's standard input and output. A frame is the child's token, a
 * byte that says what it is, a length and as many bytes. The token is random and stays in the memory of the two: bytes
 * that come without it, from whatever wrote to the same stream, are no answer, and the service then believes nothing.
 */
public final class FrameCodec {
    public static final int TOKEN_BYTES = 16;

    /** The longest source, and the longest inputs, that a child takes; in bytes. */
    public static final int LONGEST_JOB = 8 << 20;

    /** From the child: it can take its job. */
    public static final byte READY = 'R';

    /** To the child: the source, the inputs as JSON, the limits. */
    public static final byte SOURCE = 'S';

    public static final byte INPUTS = 'I';

    /** From the child, any number: what the code wrote to its console since the one before. */
    public static final byte CONSOLE = 'C';

    /** From the child, the last: the result as JSON. */
    public static final byte RESULT = 'O';

    /** From the child, the last: three lines, the {@link Failure}'s name, the line of the code, what went wrong. */
    public static final byte FAILURE = 'F';

    private FrameCodec() {}

    /** Why there is no result. */
    public enum FailureKind {
        /** The code cannot be read. */
        SYNTAX,
        /** There is no function main. */
        NO_MAIN,
        /** The code threw, or was refused what it asked for. */
        THREW,
        /** It ended itself. */
        EXITED,
        /** What it waits for never comes. */
        NEVER_SETTLED,
        /** The result is no JSON object. */
        NO_OBJECT,
        /** The result is longer than the limit. */
        TOO_LONG,
        /** It used up its CPU time. */
        OUT_OF_TIME,
        /** The language ran out of memory or stack. */
        EXHAUSTED,
        /** The operating system refused a thread, which is never the code's: code cannot start threads. */
        NO_THREAD,
        /** The language's own fault. */
        INTERNAL
    }

    /** One frame. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares frames.
    public record Frame(byte kind, byte[] body) {}

    public static void write(OutputStream out, byte[] token, byte kind, byte[] body) throws IOException {
        var data = new DataOutputStream(out);
        data.write(token);
        data.writeByte(kind);
        data.writeInt(body.length);
        data.write(body);
        data.flush();
    }

    /**
     * The next frame.
     *
     * @throws IOException when the stream ends, or has what is no frame of this token or longer than the limit
     */
    public static Frame read(InputStream in, byte[] token, int longest) throws IOException {
        var data = new DataInputStream(in);
        byte[] given = new byte[TOKEN_BYTES];
        data.readFully(given);
        if (!MessageDigest.isEqual(given, token)) {
            throw new IOException("no frame");
        }
        byte kind = data.readByte();
        int length = data.readInt();
        if (length < 0 || length > longest) {
            throw new IOException("a frame of " + length + " bytes");
        }
        byte[] body = new byte[length];
        data.readFully(body);
        return new Frame(kind, body);
    }
}
