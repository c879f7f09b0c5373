package dev.parley.organization.oidc;

import dev.parley.ServiceResource;
import dev.parley.settings.Setting;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/**
 * The service behind a proxy on this machine, with a {@link TestProvider} in its settings, which a test gets in its
 * field {@code provider}. One class for both, because Quarkus restarts for each resource class.
 */
public final class FrontedServiceResource implements QuarkusTestResourceLifecycleManager {
    private final ServiceResource service = new ServiceResource();
    private TestProvider provider;
    private Map<String, String> set = Map.of();

    @Override
    public Map<String, String> start() {
        Map<String, String> config = service.start();
        try {
            provider = new TestProvider();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        set = Map.of(
                Setting.PARLEY_TRUSTED_PROXIES.name(),
                "127.0.0.0/8, ::1",
                Setting.PARLEY_OIDC_ISSUER.name(),
                provider.issuer(),
                Setting.PARLEY_OIDC_CLIENT_ID.name(),
                TestProvider.CLIENT,
                Setting.PARLEY_OIDC_CLIENT_SECRET.name(),
                TestProvider.SECRET,
                Setting.PARLEY_OIDC_NAME.name(),
                "Acme ID");
        set.forEach(System::setProperty);
        return config;
    }

    @Override
    public void inject(TestInjector injector) {
        injector.injectIntoFields(provider, new TestInjector.MatchesType(TestProvider.class));
    }

    @Override
    public void stop() {
        set.keySet().forEach(System::clearProperty);
        try {
            provider.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            service.stop();
        }
    }
}
