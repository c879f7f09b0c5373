package dev.parley.workflow.task.coder.sandbox;

import dev.parley.id.OrganizationId;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** A sandbox with short limits. Its prepared files are kept for the next test run. */
final class TestSandbox {
    static final OrganizationId ORGANIZATION = OrganizationId.next();

    private TestSandbox() {}

    static Sandbox sandbox(Map<Setting, String> more) {
        return sandbox(more, HostTools.ofEnvironment());
    }

    static Sandbox sandbox(Map<Setting, String> more, HostTools programs) {
        Settings settings = settings(more);
        return new Sandbox(settings.coder(), settings.storage(), programs);
    }

    private static Settings settings(Map<Setting, String> more) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        values.put(Setting.PARLEY_DATA, "target/test-coder");
        values.put(Setting.PARLEY_CODER_TIME_LIMIT, "2s");
        values.put(Setting.PARLEY_CODER_MEMORY, "160");
        values.put(Setting.PARLEY_CODER_OUTPUT, "64");
        values.put(Setting.PARLEY_CODER_PARALLEL, "5");
        values.put(Setting.PARLEY_CODER_POOL, "1");
        values.putAll(more);
        return Settings.of(values);
    }

    /**
     * Runs code in tests that are not about time. At the lowest priority, its time may be up before it got any; then it
     * is repeated.
     */
    static SandboxRun run(Sandbox sandbox, CodeLanguage language, String source, String inputs)
            throws InterruptedException, SandboxUnavailable {
        return run(sandbox, ORGANIZATION, language, source, inputs);
    }

    static SandboxRun run(
            Sandbox sandbox, OrganizationId organization, CodeLanguage language, String source, String inputs)
            throws InterruptedException, SandboxUnavailable {
        Instant deadline = Instant.now().plusSeconds(90);
        SandboxRun run = sandbox.run(organization, language, source, inputs);
        while (isLate(run) && Instant.now().isBefore(deadline)) {
            run = sandbox.run(organization, language, source, inputs);
        }
        return run;
    }

    private static boolean isLate(SandboxRun run) {
        return run.failure() != null && run.failure().title().equals("Time limit");
    }

    /** Waits until a child of each language is ready; in a fresh checkout the first ones are unpacked and trained. */
    static void awaitReady(Sandbox sandbox) {
        Instant deadline = Instant.now().plusSeconds(180);
        for (CodeLanguage language : CodeLanguage.values()) {
            sandbox.expect(language);
        }
        for (CodeLanguage language : CodeLanguage.values()) {
            while (sandbox.waiting(language) == 0 && Instant.now().isBefore(deadline)) {
                LockSupport.parkNanos(10_000_000);
            }
        }
    }
}
