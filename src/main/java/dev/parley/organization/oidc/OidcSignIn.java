package dev.parley.organization.oidc;

import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.egress.EgressRules;
import dev.parley.id.OrganizationId;
import dev.parley.organization.SessionStore;
import dev.parley.organization.SignInThrottle;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/** Signs people in by the provider of the settings: authorization code flow with PKCE, state and nonce. */
@Singleton
@Startup
final class OidcSignIn {
    static final String CALLBACK = "/dashboard/api/oidc/callback";
    private static final int LONGEST_CODE = 4096;

    private final Optional<OidcProvider> provider;
    private final IdentityStore.SelfRegistration registration;
    private final IdentityStore identities;
    private final Database database;
    private final SessionStore sessions;
    private final SignInThrottle throttle;
    private final AeadCipher seal;
    private final Clock clock;

    /** Where the browser goes, and the cookie that it takes along. */
    record BegunSignIn(String address, String cookie) {
        @Override
        public String toString() {
            return "Begun[]";
        }
    }

    /** What the provider sends back by the browser; what is not there is empty. */
    record Redirect(String code, String state, String issuer, String error) {
        @Override
        public String toString() {
            return "Redirect[" + error + "]";
        }
    }

    OidcSignIn(
            Optional<Settings.Oidc> settings,
            Settings.PublicUrl publicUrl,
            EgressRules rules,
            IdentityStore identities,
            Database database,
            SessionStore sessions,
            SignInThrottle throttle,
            MasterKey secret,
            Clock clock) {
        this.provider = settings.map(oidc -> new OidcProvider(oidc, publicUrl.url() + CALLBACK, rules, clock));
        this.registration = new IdentityStore.SelfRegistration(
                settings.map(Settings.Oidc::domains).orElse(List.of()),
                settings.flatMap(Settings.Oidc::organization).map(OidcSignIn::organization));
        this.identities = identities;
        this.database = database;
        this.sessions = sessions;
        this.throttle = throttle;
        this.seal = secret.seal("oidc attempt");
        this.clock = clock;
    }

    /** The provider's name for people; empty when there is none. */
    Optional<String> name() {
        return provider.map(OidcProvider::name);
    }

    /** Begins a sign-in that ends at a path of this site. */
    BegunSignIn begin(String returnTo) {
        OidcProvider with = provider();
        OidcAttempt attempt = OidcAttempt.begin(returnTo, clock.instant());
        return new BegunSignIn(with.address(attempt), attempt.sealed(seal));
    }

    /** The attempt of a cookie, when it is one of ours and not too old. */
    Optional<OidcAttempt> attempt(String cookie) {
        return OidcAttempt.open(cookie, seal).filter(open -> !open.hasEnded(clock.instant()));
    }

    /**
     * Ends an attempt with a new session, whose token it answers.
     *
     * @param address where the request came from, for the throttle
     */
    String end(OidcAttempt attempt, Redirect redirect, String address) {
        OidcProvider with = provider();
        if (!isSame(attempt.state(), redirect.state()) || !identities.use(attempt)) {
            throw new OidcRejection(
                    OidcRejection.OidcRejectionReason.NOT_BEGUN_HERE, "The state is not the attempt's, or was used.");
        }
        if (!with.isFromHere(redirect.issuer())) {
            throw OidcRejection.notTrusted("The redirect is not of this provider.");
        }
        if (!redirect.error().isEmpty()) {
            throw redirect.error().equals("access_denied")
                    ? new OidcRejection(OidcRejection.OidcRejectionReason.CANCELLED, "The provider was told no.")
                    : OidcRejection.unavailable("The provider refused with an error: " + plain(redirect.error()) + ".");
        }
        if (redirect.code().isEmpty() || redirect.code().length() > LONGEST_CODE) {
            throw OidcRejection.notTrusted("The redirect has no usable code.");
        }
        count(address);
        OidcIdentity identity = with.identity(redirect.code(), attempt);
        String token = database.transaction(
                handle -> sessions.begin(handle, identities.user(handle, with.issuer(), identity, registration)));
        throttle.succeeded(address);
        return token;
    }

    @PreDestroy
    void close() {
        provider.ifPresent(OidcProvider::close);
    }

    private OidcProvider provider() {
        return provider.orElseThrow(() -> ApiProblem.notFound("OpenID Connect provider"));
    }

    private void count(String address) {
        try {
            throttle.attempt(address);
        } catch (ApiProblem tooMany) {
            throw new OidcRejection(
                    OidcRejection.OidcRejectionReason.TOO_MANY_ATTEMPTS,
                    "Too many attempts from one address.",
                    tooMany);
        }
    }

    private static boolean isSame(String ours, String theirs) {
        return MessageDigest.isEqual(ours.getBytes(StandardCharsets.UTF_8), theirs.getBytes(StandardCharsets.UTF_8));
    }

    /** An error code as it may stand in the log. */
    private static String plain(String error) {
        return error.matches("[a-z_]{1,60}") ? error : "(unreadable)";
    }

    private static OrganizationId organization(String setting) {
        return OrganizationId.parse(setting)
                .orElseThrow(
                        () -> new SettingsException(Setting.PARLEY_OIDC_ORGANIZATION, "must be an organization's id."));
    }
}
