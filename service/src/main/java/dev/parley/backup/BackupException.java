package dev.parley.backup;

/** A backup that cannot be written or restored. The message is one sentence for the operator. */
public final class BackupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    BackupException(String sentence) {
        super(sentence);
    }

    BackupException(String sentence, Exception cause) {
        super(sentence, cause);
    }
}
