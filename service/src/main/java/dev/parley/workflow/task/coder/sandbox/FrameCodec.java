package dev.parley.workflow.task.coder.sandbox;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;

/**
 * The protocol between service and child process, over the child's standard streams. A frame is the child's token, a
 * type byte, a length and the payload. The token is random and known only to both processes: bytes without it, whatever
 * wrote them to the stream, are not accepted.
 *
 * <p>Service and sandbox each have this file; {@code ArchitectureTest} keeps both equal.
 */
public final class FrameCodec {
    /** The exit code of code that used up its CPU time; the same as after the kernel's signal. */
    public static final int OUT_OF_CPU_TIME = 152;

    /** The exit code of code that used up its time mostly by waiting. */
    public static final int WAITED_TOO_LONG = 4;

    public static final int TOKEN_BYTES = 16;

    /** The maximum size of source or inputs, in bytes. */
    public static final int MAX_JOB_LENGTH = 8 << 20;

    /** From the child: ready for its job. */
    public static final byte READY = 'R';

    /** To the child: the source, the inputs as JSON, the limits. */
    public static final byte SOURCE = 'S';

    public static final byte INPUTS = 'I';

    /** To the child instead of the inputs: parse the source without running it. */
    public static final byte CHECK = 'K';

    /** From the child, repeated: console output since the previous frame. */
    public static final byte CONSOLE = 'C';

    /** From the child, last: the result as JSON. */
    public static final byte RESULT = 'O';

    /** From the child, last: three lines with the {@link FailureKind}'s name, the line of the code, and the message. */
    public static final byte FAILURE = 'F';

    private FrameCodec() {}

    /** Why there is no result. */
    public enum FailureKind {
        /** The code does not parse. */
        SYNTAX,
        /** There is no function main. */
        NO_MAIN,
        /** The code threw an exception, or was denied an operation. */
        THREW,
        /** The code called exit. */
        EXITED,
        /** It awaits a promise that never settles. */
        NEVER_SETTLED,
        /** The result is not a JSON object. */
        NO_OBJECT,
        /** An output is or contains what JSON cannot represent; the message is that, a line break and the name. */
        NOT_JSON,
        /** The result is longer than the limit. */
        TOO_LONG,
        /** The code used up its CPU time. */
        OUT_OF_TIME,
        /** The interpreter ran out of memory or stack. */
        EXHAUSTED,
        /** The operating system refused a thread. Never the code's fault: code cannot start threads. */
        NO_THREAD,
        /** An internal error of the interpreter. */
        INTERNAL
    }

    /** One frame. */
    @SuppressWarnings("ArrayRecordComponent") // Frames are never compared.
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
     * Reads the next frame.
     *
     * @throws IOException if the stream ends, or contains no frame with this token or one that is too long
     */
    public static Frame read(InputStream in, byte[] token, int maxLength) throws IOException {
        var data = new DataInputStream(in);
        byte[] given = new byte[TOKEN_BYTES];
        data.readFully(given);
        if (!MessageDigest.isEqual(given, token)) {
            throw new IOException("not a frame");
        }
        byte kind = data.readByte();
        int length = data.readInt();
        if (length < 0 || length > maxLength) {
            throw new IOException("a frame of " + length + " bytes");
        }
        byte[] body = new byte[length];
        data.readFully(body);
        return new Frame(kind, body);
    }
}
