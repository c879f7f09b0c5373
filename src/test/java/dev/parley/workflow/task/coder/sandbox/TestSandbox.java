package dev.parley.workflow.task.coder.sandbox;

import dev.parley.Setting;
import dev.parley.Settings;
import dev.parley.id.OrganizationId;
import java.util.EnumMap;
import java.util.Map;

/** A sandbox with short limits. Its files lie where the next run of the tests finds them. */
final class TestSandbox {
    static final OrganizationId ORGANIZATION = OrganizationId.next();
    static final Settings SETTINGS = settings(Map.of());

    private TestSandbox() {}

    static Settings settings(Map<Setting, String> more) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        values.put(Setting.PARLEY_DATA, "target/test-coder");
        values.put(Setting.PARLEY_CODER_TIME_LIMIT, "3s");
        values.put(Setting.PARLEY_CODER_MEMORY, "160");
        values.put(Setting.PARLEY_CODER_OUTPUT, "64");
        values.put(Setting.PARLEY_CODER_PARALLEL, "5");
        values.put(Setting.PARLEY_CODER_POOL, "3");
        values.putAll(more);
        return Settings.of(values);
    }
}
