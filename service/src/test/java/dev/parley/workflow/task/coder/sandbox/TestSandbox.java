package dev.parley.workflow.task.coder.sandbox;

import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.workflow.task.coder.sandbox.host.HostTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A sandbox with short limits. Its prepared files are kept for the next test run. */
final class TestSandbox {
    static final OrganizationId ORGANIZATION = OrganizationId.next();

    private static final List<String> PROGRAMS =
            List.of("true", "nice", "setsid", "setpriv", "prlimit", "bwrap", "unshare");

    private TestSandbox() {}

    /** The sandbox of all tests that need no other settings; its children end with this process. */
    private static final class Shared {
        static final Sandbox SANDBOX = sandbox(Map.of());
    }

    static Sandbox shared() {
        return Shared.SANDBOX;
    }

    static Sandbox sandbox(Map<Setting, String> more) {
        return sandbox(more, HostTools.ofEnvironment());
    }

    static Sandbox sandbox(Map<Setting, String> more, HostTools tools) {
        Settings settings = settings(more);
        return new Sandbox(settings.coder(), settings.storage(), tools);
    }

    private static Settings settings(Map<Setting, String> more) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        values.put(Setting.PARLEY_DATA, "target/test-coder");
        values.put(Setting.PARLEY_CODER_TIME_LIMIT, "1s");
        values.put(Setting.PARLEY_CODER_MEMORY, "160");
        values.put(Setting.PARLEY_CODER_OUTPUT, "64");
        values.put(Setting.PARLEY_CODER_PARALLEL, "5");
        // Preparing fast starts would take longer than the starts of these tests.
        values.put(Setting.PARLEY_CODER_POOL, "0");
        values.putAll(more);
        return Settings.of(values);
    }

    /** This machine's programs except some, as links in a directory. */
    static HostTools programsExcept(Path directory, String... missing) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        // Children with their own user look up programs here too.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String program : PROGRAMS) {
            Optional<String> found = HostTools.ofEnvironment().find(program);
            if (!List.of(missing).contains(program) && found.isPresent()) {
                Files.createSymbolicLink(bin.resolve(program), Path.of(found.get()));
            }
        }
        return new HostTools(List.of(bin));
    }
}
