package dev.parley.tool.catalog;

import dev.parley.ServiceResource;
import dev.parley.settings.Setting;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.nio.file.Path;
import java.util.Map;

/** The service on standby, with a directory of files that does not exist. */
public final class StandbyServiceResource implements QuarkusTestResourceLifecycleManager {
    static final Path FILES =
            Path.of("target", "standby-files-" + ProcessHandle.current().pid());

    private final ServiceResource service = new ServiceResource();
    private final Map<String, String> set =
            Map.of(Setting.PARLEY_STANDBY.name(), "true", Setting.PARLEY_FILES.name(), FILES.toString());

    @Override
    public Map<String, String> start() {
        Map<String, String> config = service.start();
        set.forEach(System::setProperty);
        return config;
    }

    @Override
    public void stop() {
        set.keySet().forEach(System::clearProperty);
        service.stop();
    }
}
