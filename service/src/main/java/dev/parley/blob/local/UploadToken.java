package dev.parley.blob.local;

import dev.parley.blob.BlobKey;
import dev.parley.blob.UploadGrant;
import dev.parley.db.HmacHasher;
import dev.parley.db.SignedText;
import java.time.Instant;
import java.util.Optional;

/** A grant as the last path segment of an upload URL of the embedded store, signed with a key of the service. */
final class UploadToken {
    private final SignedText tokens;

    UploadToken(HmacHasher hasher) {
        this.tokens = new SignedText(hasher);
    }

    String sign(UploadGrant grant) {
        return tokens.sign(String.join(
                "\n",
                grant.key().text(),
                grant.contentType(),
                grant.size() == null ? "" : grant.size().toString(),
                Long.toString(grant.maxBytes()),
                Long.toString(grant.expires().toEpochMilli())));
    }

    /** The grant of a token that this service signed, even if it has expired. */
    Optional<UploadGrant> read(String token) {
        return tokens.read(token)
                .map(claims -> claims.split("\n", -1))
                .map(fields -> new UploadGrant(
                        new BlobKey(fields[0]),
                        fields[1],
                        fields[2].isEmpty() ? null : Long.valueOf(fields[2]),
                        Long.parseLong(fields[3]),
                        Instant.ofEpochMilli(Long.parseLong(fields[4]))));
    }
}
