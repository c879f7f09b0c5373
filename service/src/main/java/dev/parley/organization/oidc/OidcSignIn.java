package dev.parley.organization.oidc;

import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.HmacHasher;
import dev.parley.db.MasterKey;
import dev.parley.egress.EgressRules;
import dev.parley.id.OrganizationId;
import dev.parley.organization.oidc.OidcRejection.OidcRejectionReason;
import dev.parley.organization.session.RandomTokens;
import dev.parley.organization.session.SessionClient;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.session.SignInThrottle;
import dev.parley.problem.ApiProblem;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.Startup;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Signs users in through the configured provider: authorization code flow with PKCE, state and nonce. */
@Singleton
@Startup
final class OidcSignIn {
    static final String CALLBACK_PATH = "/dashboard/api/oidc/callback";
    private static final int MAX_CODE_LENGTH = 4096;
    private static final Set<String> CANCELLATIONS = Set.of(
            "access_denied",
            "account_selection_required",
            "consent_required",
            "interaction_required",
            "login_required",
            "user_cancelled_authorize",
            "user_cancelled_login");

    private final Optional<OidcProvider> provider;
    private final IdentityResolver.SelfRegistration registration;
    private final IdentityStore identities;
    private final IdentityResolver resolver;
    private final Database database;
    private final Sessions sessions;
    private final SignInThrottle throttle;
    private final AeadCipher attemptCipher;
    private final HmacHasher stateHasher;
    private final Clock clock;

    /** The URL that the browser opens at the provider, and the cookie that keeps the attempt. */
    record StartedSignIn(String url, String cookie) {
        @Override
        public String toString() {
            return "StartedSignIn[]";
        }
    }

    /** The query parameters of the provider's redirect; missing ones are empty. */
    record OidcRedirect(String code, String state, String issuer, String error) {
        @Override
        public String toString() {
            return "OidcRedirect[" + error + "]";
        }
    }

    OidcSignIn(
            Optional<Settings.Oidc> settings,
            Settings.PublicUrl publicUrl,
            EgressRules rules,
            IdentityResolver resolver,
            Database database,
            Sessions sessions,
            SignInThrottle throttle,
            MasterKey masterKey,
            Clock clock) {
        this.provider = settings.map(oidc -> new OidcProvider(oidc, publicUrl.url() + CALLBACK_PATH, rules, clock));
        this.registration = new IdentityResolver.SelfRegistration(
                settings.map(Settings.Oidc::domains).orElse(List.of()),
                settings.flatMap(Settings.Oidc::organization).map(OidcSignIn::organizationId));
        this.identities = database.statements(IdentityStore.class);
        this.resolver = resolver;
        this.database = database;
        this.sessions = sessions;
        this.throttle = throttle;
        this.attemptCipher = masterKey.cipher("oidc attempt");
        this.stateHasher = masterKey.hasher("oidc state");
        this.clock = clock;
    }

    /** The provider's display name; empty if none is configured. */
    Optional<String> providerName() {
        return provider.map(OidcProvider::name);
    }

    /** @param returnTo path of this site to go to after the sign-in */
    StartedSignIn start(String returnTo) {
        OidcAttempt attempt = OidcAttempt.start(returnTo, clock.instant());
        return new StartedSignIn(requireProvider().authorizationUrl(attempt), attempt.toCookie(attemptCipher));
    }

    /** The attempt in a cookie, if this service encrypted it and it has not expired. */
    Optional<OidcAttempt> attempt(String cookie) {
        return OidcAttempt.fromCookie(cookie, attemptCipher).filter(attempt -> !attempt.isExpired(clock.instant()));
    }

    /**
     * Completes an attempt and returns the token of a new session.
     *
     * @param client for the throttle and the session
     */
    String complete(OidcAttempt attempt, OidcRedirect redirect, SessionClient client) {
        OidcProvider configured = requireProvider();
        if (!RandomTokens.isEqual(attempt.state(), redirect.state()) || !markUsed(attempt)) {
            throw new OidcRejection(
                    OidcRejectionReason.NOT_BEGUN_HERE, "The state belongs to another attempt or was already used.");
        }
        if (!configured.isOwnRedirect(redirect.issuer())) {
            throw OidcRejection.notTrusted("The redirect is from another issuer.");
        }
        if (!redirect.error().isEmpty()) {
            throw CANCELLATIONS.contains(redirect.error())
                    ? new OidcRejection(OidcRejectionReason.CANCELLED, "The user or the provider denied access.")
                    : OidcRejection.unavailable("The provider returned an error: " + loggable(redirect.error()) + ".");
        }
        if (redirect.code().isEmpty() || redirect.code().length() > MAX_CODE_LENGTH) {
            throw OidcRejection.notTrusted("The redirect has no usable code.");
        }
        countAttempt(client.address());
        OidcTokens tokens = configured.exchange(redirect.code(), attempt);
        OidcIdentity identity =
                identities.find(tokens.issuer(), tokens.subject()).isPresent()
                        ? OidcIdentity.known(tokens)
                        : configured.identify(tokens);
        String token = database.transaction(
                () -> sessions.begin(resolver.resolveUser(tokens.issuer(), identity, registration), client));
        throttle.succeeded(client.address());
        return token;
    }

    @PreDestroy
    void close() {
        provider.ifPresent(OidcProvider::close);
    }

    private OidcProvider requireProvider() {
        return provider.orElseThrow(() -> ApiProblem.notFound("OpenID Connect provider"));
    }

    private boolean markUsed(OidcAttempt attempt) {
        return identities.markUsed(stateHasher.hash(attempt.state()), Instant.ofEpochSecond(attempt.expires()));
    }

    private void countAttempt(String clientAddress) {
        try {
            throttle.attempt(clientAddress);
        } catch (ApiProblem tooMany) {
            throw new OidcRejection(
                    OidcRejectionReason.TOO_MANY_ATTEMPTS, "Too many attempts from one address.", tooMany);
        }
    }

    /** Anyone can call the callback, so only a plain error code is logged. */
    private static String loggable(String error) {
        return error.matches("[a-z_]{1,60}") ? error : "(unreadable)";
    }

    private static OrganizationId organizationId(String setting) {
        return OrganizationId.parse(setting)
                .orElseThrow(
                        () -> new SettingsException(Setting.PARLEY_OIDC_ORGANIZATION, "must be an organization's id."));
    }
}
