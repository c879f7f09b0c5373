package dev.parley;

import dev.parley.db.TestPostgres;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;

/** Gives a {@code @QuarkusTest} a fresh database and the settings with which {@code ./parley start} starts. */
public final class ServiceResource implements QuarkusTestResourceLifecycleManager {
    private final Map<String, String> set = new HashMap<>();

    @Override
    public Map<String, String> start() {
        set.putAll(TestPostgres.freshDatabase());
        set.put(Setting.PARLEY_SECRET.name(), "a secret of the tests, which is long enough");
        set.put(Setting.PARLEY_DEMO.name(), "true");
        set.put(
                Setting.PARLEY_DATA.name(),
                "target/test-data-" + ProcessHandle.current().pid());
        set.put(Setting.PARLEY_EGRESS_ALLOW.name(), "127.0.0.0/8,::1,localhost");
        set.put(Setting.PARLEY_LOG_REQUESTS.name(), "errors");
        set.forEach(System::setProperty);
        return Map.of("quarkus.http.test-port", "0");
    }

    @Override
    public void stop() {
        set.keySet().forEach(System::clearProperty);
    }
}
