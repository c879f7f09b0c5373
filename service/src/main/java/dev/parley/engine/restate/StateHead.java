package dev.parley.engine.restate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.zip.CRC32;

/**
 * An object's summary of its instance: the only part that each handler reads.
 *
 * @param version of the instance
 * @param checkpoint the version of the newest complete state that is stored
 * @param older the version of the one before, which a handler that is repeated may need
 * @param projected the version that PostgreSQL has
 * @param projectedAt the time of that version
 * @param changeBytes the size of the changes since the checkpoint
 * @param stateBytes the size of the complete state
 * @param digest of all changes since the start, by which a node checks that it has the same version
 */
record StateHead(
        int version,
        int checkpoint,
        int older,
        int projected,
        Instant projectedAt,
        int changeBytes,
        int stateBytes,
        int digest) {
    /** The maximum number of changes between two projections. */
    private static final int MAX_PENDING = 64;

    private static final int MAX_PENDING_BYTES = 256 << 10;

    /** Longer tasks are projected one by one, so that the history and the attempts of an instance are current. */
    private static final Duration MAX_PENDING_TIME = Duration.ofSeconds(1);

    /** Changes below this size are not worth a checkpoint. */
    private static final int MIN_CHECKPOINT_BYTES = 16 << 10;

    /** The head of an instance that PostgreSQL has and the object does not have yet. */
    static StateHead projected(int version, Instant at) {
        return new StateHead(version, 0, 0, version, at, 0, 0, version);
    }

    /** The head after a change. */
    StateHead with(int nextVersion, String delta) {
        int bytes = delta.length();
        return new StateHead(
                nextVersion,
                checkpoint,
                older,
                projected,
                projectedAt,
                changeBytes + bytes,
                stateBytes,
                digest(digest, delta));
    }

    static int digest(int before, String delta) {
        var crc = new CRC32();
        crc.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, before));
        crc.update(delta.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }

    /** Whether changes must be projected although PostgreSQL need not have them at once. */
    boolean isProjectionDue(Instant now, int pendingBytes) {
        return version - projected >= MAX_PENDING
                || pendingBytes >= MAX_PENDING_BYTES
                || now.isAfter(projectedAt.plus(MAX_PENDING_TIME));
    }

    /** The head after a projection. */
    StateHead projected(Instant at) {
        return new StateHead(version, checkpoint, older, version, at, changeBytes, stateBytes, digest);
    }

    /**
     * Whether a complete state must be stored. The distance grows with the state, so that the total size of all
     * checkpoints grows linearly.
     */
    boolean isCheckpointDue() {
        return !isStored() || (projected == version && changeBytes > Math.max(MIN_CHECKPOINT_BYTES, stateBytes));
    }

    /** Whether the object has a complete state; the first one is stored when a start ends. */
    boolean isStored() {
        return checkpoint > 0;
    }

    StateHead checkpointed(int bytes) {
        int before = isStored() ? checkpoint : version;
        return new StateHead(version, version, before, projected, projectedAt, 0, bytes, digest);
    }
}
