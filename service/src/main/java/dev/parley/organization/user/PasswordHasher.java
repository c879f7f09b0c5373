package dev.parley.organization.user;

import com.password4j.Argon2Function;
import com.password4j.Password;
import com.password4j.types.Argon2;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.ServiceSize;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords with Argon2id (7 MiB, five passes: the profile with the least memory of OWASP's five equivalent
 * ones). Hashing is slow on purpose, so it has two threads and a bounded queue of its own: a flood of sign-ins is
 * limited in memory (21 MiB) and threads, and excess attempts are asked to retry.
 */
@Singleton
public final class PasswordHasher {
    /** The minimum length of a password, as in NIST SP 800-63B. */
    public static final int MIN_LENGTH = 8;

    public static final int MAX_LENGTH = 128;

    private static final int MAX_QUEUED = 200;
    private static final Argon2Function ARGON2 = Argon2Function.getInstance(7 * 1024, 5, 1, 32, Argon2.ID);

    private final ThreadPoolExecutor threads;

    /** Verified if there is no account, so that the response takes equally long. */
    private final String dummyHash = hashNow("not the password of any account");

    public PasswordHasher(ServiceSize size) {
        int hashing = size.byCores(2);
        this.threads = new ThreadPoolExecutor(
                hashing,
                hashing,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MAX_QUEUED),
                Thread.ofPlatform().daemon().name("password-", 0).factory());
    }

    /** The hash of a password, with its salt and parameters. */
    public String hash(String password) {
        return onHashingThread(() -> hashNow(password));
    }

    /** Whether the password matches; takes the same time without a hash. Call within {@link #onHashingThread}. */
    public boolean matches(String password, @Nullable String hash) {
        String against = hash == null ? dummyHash : hash;
        boolean matches =
                Password.check(normalized(password), against).with(Argon2Function.getInstanceFromHash(against));
        return matches && hash != null;
    }

    /** A new hash of the same password, if this one has an outdated profile. */
    public Optional<String> renewed(String password, String hash) {
        return Argon2Function.getInstanceFromHash(hash).equals(ARGON2)
                ? Optional.empty()
                : Optional.of(hashNow(password));
    }

    /** Runs hashing on one of the dedicated threads and waits for the result. */
    public <T> T onHashingThread(Supplier<T> work) {
        Future<T> result;
        try {
            result = threads.submit(work::get);
        } catch (RejectedExecutionException _) {
            throw ApiProblem.tooMany("Too many people are signing in right now.", Duration.ofSeconds(5));
        }
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("The service is stopping.", Duration.ofSeconds(5));
        }
    }

    public @PreDestroy void close() {
        threads.shutdown();
    }

    private static String hashNow(String password) {
        return Password.hash(normalized(password))
                .addRandomSalt(16)
                .with(ARGON2)
                .getResult();
    }

    /** The same password typed on another keyboard must match (NIST SP 800-63B). */
    private static String normalized(String password) {
        return Normalizer.normalize(password, Normalizer.Form.NFKC);
    }
}
