package dev.parley.organization.session;

import dev.parley.http.access.DashboardUser;
import dev.parley.http.access.Routes;
import dev.parley.http.filter.EventLoopBridge;
import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.filter.RequestFilter;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Settings;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.Cookie;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Authenticates every request under {@code /dashboard/api} by its session, even without an endpoint, and attaches the
 * {@link DashboardUser}. Open routes need no session. Cross-site changing requests are rejected first.
 */
@Singleton
final class SessionFilter {
    static final String COOKIE = "parley_session";

    /** The user that the client shows. Another tab of the browser may have signed in as someone else. */
    static final String EXPECTED_USER = "X-User-Id";

    private static final String PATH = "/dashboard/api";

    private final Routes routes;
    private final Sessions sessions;
    private final SameOrigin sameOrigin;

    SessionFilter(Routes routes, Sessions sessions, Settings.PublicUrl publicUrl) {
        this.routes = routes;
        this.sessions = sessions;
        this.sameOrigin = new SameOrigin(publicUrl.url());
    }

    void register(@Observes Filters filters) {
        filters.register(this::handle, RequestFilter.AUTHENTICATION);
    }

    private void handle(RoutingContext request) {
        if (!RequestFilter.isUnder(request, PATH)) {
            request.next();
            return;
        }
        if (!sameOrigin.allows(request.request())) {
            ProblemResponse.write(request, SameOrigin.refusal());
            return;
        }
        boolean open = routes.isOpen(request.request().method().name(), RequestFilter.path(request));
        Cookie cookie = request.request().getCookie(COOKIE);
        if (cookie == null || cookie.getValue().length() != RandomTokens.LENGTH) {
            decide(request, Optional.empty(), open);
        } else {
            EventLoopBridge.run(request, () -> sessions.user(cookie.getValue()), user -> decide(request, user, open));
        }
    }

    private static void decide(RoutingContext request, Optional<DashboardUser> user, boolean open) {
        if (open && user.filter(found -> isExpected(request, found)).isEmpty()) {
            request.next();
        } else if (user.isEmpty()) {
            ProblemResponse.write(
                    request,
                    ApiProblem.of(ProblemKind.NOT_SIGNED_IN, "A session is required: POST /dashboard/api/login."));
        } else if (!isExpected(request, user.get())) {
            ProblemResponse.write(
                    request, ApiProblem.of(ProblemKind.NOT_SIGNED_IN, "Another user than 'X-User-Id' is signed in."));
        } else {
            user.get().attach(request);
            request.next();
        }
    }

    private static boolean isExpected(RoutingContext request, DashboardUser user) {
        String expected = request.request().getHeader(EXPECTED_USER);
        return expected == null || expected.equals(user.id().text());
    }
}
