package dev.parley.engine.restate;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Base64;

/** The key pair with which a Restate server signs its calls. */
public record RestateIdentity(KeyPair keys) {
    private static final String DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final BigInteger BASE = BigInteger.valueOf(58);

    public static RestateIdentity create() {
        try {
            return new RestateIdentity(KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public key as Restate prints it. */
    public String publicKey() {
        byte[] encoded = keys.getPublic().getEncoded();
        byte[] key = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        var text = new StringBuilder();
        for (BigInteger left = new BigInteger(1, key); left.signum() > 0; left = left.divide(BASE)) {
            text.append(DIGITS.charAt(left.mod(BASE).intValue()));
        }
        return "publickeyv1_" + text.reverse();
    }

    /** Writes the private key to a PEM file. */
    public Path write(Path file) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'})
                                .encodeToString(keys.getPrivate().getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
    }
}
