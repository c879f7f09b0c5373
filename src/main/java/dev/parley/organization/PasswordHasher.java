package dev.parley.organization;

import com.password4j.Argon2Function;
import com.password4j.Password;
import com.password4j.types.Argon2;
import dev.parley.problem.ApiProblem;
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
 * Passwords as Argon2id hashes (7 MiB, five passes: the profile of OWASP's five equal ones that takes the least memory).
 * Hashing is slow by intent, so it has two threads of its own and a bounded queue: a flood of sign-ins takes neither the
 * memory (21 MiB at most) nor the threads of everything else, and those that find the queue full are asked to come again.
 */
@Singleton
public final class PasswordHasher {
    /** Characters of a password, as few as NIST SP 800-63B allows. */
    static final int LEAST = 8;

    static final int MOST = 128;

    private static final int AT_ONCE = 2;
    private static final int WAITING = 200;
    private static final Argon2Function ARGON2 = Argon2Function.getInstance(7 * 1024, 5, 1, 32, Argon2.ID);

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            AT_ONCE,
            AT_ONCE,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("password-", 0).factory());

    /** Checked where there is no account, so that the answer takes as long as for one. */
    private final String decoy = hashNow("the password of nobody at all");

    /** The hash of a password, with its salt and parameters. */
    public String hash(String password) {
        return inTurn(() -> hashNow(password));
    }

    /** Whether it is the password; takes the same time where there is no hash to match. To be called {@link #inTurn}. */
    boolean matches(String password, @Nullable String hash) {
        String against = hash == null ? decoy : hash;
        boolean matches =
                Password.check(normalized(password), against).with(Argon2Function.getInstanceFromHash(against));
        return matches && hash != null;
    }

    /** The hash to keep in place of this one of the same password, where it was made by another profile than today's. */
    Optional<String> renewed(String password, String hash) {
        return Argon2Function.getInstanceFromHash(hash).equals(ARGON2)
                ? Optional.empty()
                : Optional.of(hashNow(password));
    }

    /** Runs work that hashes on one of the few threads for it, and waits for it. */
    <T> T inTurn(Supplier<T> work) {
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

    @PreDestroy
    void close() {
        threads.shutdown();
    }

    private static String hashNow(String password) {
        return Password.hash(normalized(password))
                .addRandomSalt(16)
                .with(ARGON2)
                .getResult();
    }

    /** The same password typed on another keyboard is the same (NIST SP 800-63B). */
    private static String normalized(String password) {
        return Normalizer.normalize(password, Normalizer.Form.NFKC);
    }
}
