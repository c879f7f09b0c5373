package dev.parley.engine.restate;

import dev.parley.disk.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** A Restate server from npm for one test class, in an empty directory and on free ports. */
public final class TestRestate implements AutoCloseable {
    private final Path directory;
    private final RestateIdentity identity = RestateIdentity.create();
    private final RestateProcess server;

    private TestRestate(Path binary, Path directory) {
        this.directory = directory;
        this.server = new RestateProcess(binary, directory, "test");
    }

    /** Starts a server; the calling test is skipped if npm cannot install it. */
    public static TestRestate start() {
        Path binary = installed();
        try {
            Path directory = Files.createTempDirectory("parley-restate");
            var test = new TestRestate(binary, directory);
            Runtime.getRuntime().addShutdownHook(new Thread(test::close));
            test.server.configure(List.of(test.server), 1, test.identity.write(directory.resolve("identity.pem")));
            test.restart();
            return test;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server's binary; the calling test is skipped if npm cannot install it. */
    public static Path installed() {
        try {
            return RestateInstallation.binary();
        } catch (IOException e) {
            return Assumptions.abort(e.getMessage());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The public key with which the server signs its calls. */
    public String identityKey() {
        return identity.publicKey();
    }

    /** Kills the server as {@code kill -9} does; what it has stored remains. */
    void kill() {
        server.kill();
    }

    /** Starts a killed server again, with its data and on its ports. */
    void restart() {
        server.start();
        server.awaitReady();
    }

    public URI ingress() {
        return server.ingress();
    }

    public URI admin() {
        return server.admin();
    }

    @Override
    public void close() {
        server.kill();
        try {
            if (System.getProperty("parley.keep-restate") == null) {
                FileTrees.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
