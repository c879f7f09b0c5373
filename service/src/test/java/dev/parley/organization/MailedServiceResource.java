package dev.parley.organization;

import com.icegreen.greenmail.util.GreenMail;
import dev.parley.FreePort;
import dev.parley.id.OrganizationId;
import dev.parley.mail.MailTestBed;
import dev.parley.organization.oidc.FrontedServiceResource;
import dev.parley.settings.Setting;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/**
 * The service with an SMTP server and an OpenID provider. People of {@link #DOMAIN} register in the organization
 * {@link #REGISTRATION}, which a test creates.
 */
public final class MailedServiceResource implements QuarkusTestResourceLifecycleManager {
    static final String DOMAIN = "registered.example";
    static final OrganizationId REGISTRATION =
            OrganizationId.parse("0192f0c1a2b37c4d8e5f60718293aaaa").orElseThrow();

    private final FrontedServiceResource service = new FrontedServiceResource();
    private final int port = FreePort.next();
    private Map<String, String> set = Map.of();
    private GreenMail server;

    @Override
    public Map<String, String> start() {
        Map<String, String> config = service.start();
        server = MailTestBed.server(port);
        set = Map.of(
                Setting.PARLEY_SMTP_HOST.name(),
                "127.0.0.1",
                Setting.PARLEY_SMTP_PORT.name(),
                String.valueOf(port),
                Setting.PARLEY_SMTP_MODE.name(),
                "plain",
                Setting.PARLEY_SMTP_SENDER.name(),
                "Parley <parley@acme.example>",
                Setting.PARLEY_OIDC_DOMAINS.name(),
                DOMAIN,
                Setting.PARLEY_OIDC_ORGANIZATION.name(),
                REGISTRATION.text());
        set.forEach(System::setProperty);
        return config;
    }

    @Override
    public void inject(TestInjector injector) {
        service.inject(injector);
        injector.injectIntoFields(server, new TestInjector.MatchesType(GreenMail.class));
    }

    @Override
    public void stop() {
        set.keySet().forEach(System::clearProperty);
        server.stop();
        service.stop();
    }
}
