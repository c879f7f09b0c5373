package dev.parley.organization;

import dev.parley.ServiceResource;
import dev.parley.Setting;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** The service behind a proxy on this machine. */
public final class ProxiedServiceResource implements QuarkusTestResourceLifecycleManager {
    private static final String PROXIES = Setting.PARLEY_TRUSTED_PROXIES.name();
    private final ServiceResource service = new ServiceResource();

    @Override
    public Map<String, String> start() {
        System.setProperty(PROXIES, "127.0.0.0/8, ::1");
        return service.start();
    }

    @Override
    public void stop() {
        System.clearProperty(PROXIES);
        service.stop();
    }
}
