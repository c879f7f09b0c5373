package dev.parley.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories used by two processes, one of which is killed. */
class DirectoryLocksTest {
    private static final String SHARED = "1";
    private static final String OWN = "ffffffff";
    private static final String OTHERS = "a0";

    @TempDir
    private Path parent;

    private DirectoryLocks leases;
    private Process other;

    /** The other process: it locks directories and waits. */
    static final class Other {
        private Other() {}

        public static void main(String[] args) throws IOException {
            var leases = new DirectoryLocks(Path.of(args[0]));
            Files.writeString(leases.acquire(SHARED, _ -> {}).resolve("file"), "of the other");
            Files.writeString(leases.acquire(OTHERS, _ -> {}).resolve("file"), "of the other");
            System.out.println("taken");
            var _ = System.in.read();
            leases.release(OTHERS);
        }
    }

    @BeforeEach
    void start() throws Exception {
        leases = new DirectoryLocks(parent);
        other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName(),
                        parent.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(other.inputReader().readLine()).isEqualTo("taken");
    }

    @AfterEach
    void end() {
        other.destroyForcibly();
    }

    @Test
    void aDirectoryHeldByAnotherProcessIsKept() throws Exception {
        leases.acquire(OWN, _ -> {});
        leases.sweep();
        assertThat(parent.resolve(OTHERS).resolve("file")).exists();
        assertThat(parent.resolve(OWN)).exists();
    }

    @Test
    void aDirectoryOfAKilledProcessIsDeleted() throws Exception {
        leases.acquire(SHARED, _ -> {});
        other.destroyForcibly();
        assertThat(other.waitFor(20, TimeUnit.SECONDS)).isTrue();
        leases.sweep();
        assertThat(parent.resolve(OTHERS)).doesNotExist();
        assertThat(parent.resolve(SHARED).resolve("file")).exists();
    }

    @Test
    void aReleasedDirectoryIsDeleted() throws Exception {
        other.outputWriter().close();
        assertThat(other.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(parent.resolve(OTHERS)).doesNotExist();
        assertThat(parent.resolve(SHARED)).exists();
    }

    @Test
    void aReleasedDirectoryThatAnotherHoldsIsKept() throws Exception {
        leases.acquire(SHARED, _ -> {
            throw new AssertionError("not alone");
        });
        leases.release(SHARED);
        assertThat(parent.resolve(SHARED).resolve("file")).exists();
    }

    @Test
    void oneThatIsAloneClearsUpFirst() throws Exception {
        other.destroyForcibly();
        assertThat(other.waitFor(20, TimeUnit.SECONDS)).isTrue();
        Path taken = leases.acquire(OTHERS, directory -> Files.delete(directory.resolve("file")));
        assertThat(taken).isEmptyDirectory();
    }

    @Test
    void foreignFilesAreKept() throws Exception {
        Path another = Files.createDirectory(parent.resolve("something else"));
        leases.sweep();
        assertThat(another).exists();
    }
}
