package dev.parley.organization.signin;

import static dev.parley.http.access.Access.Caller.OPEN;
import static dev.parley.http.access.Access.Caller.USER;

import dev.parley.db.Database;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.DashboardUser;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.http.constraint.Text;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import dev.parley.organization.member.InvitationAcceptance;
import dev.parley.organization.member.InvitationMail;
import dev.parley.organization.member.OpenInvitation;
import dev.parley.organization.session.SessionCookie;
import dev.parley.organization.session.Sessions;
import dev.parley.organization.session.SignedIn;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ViolationCode;
import dev.parley.settings.Settings;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.constraints.NotNull;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Signing in and out of the dashboard. */
@Path("/dashboard/api")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Sign-in")
public final class SessionResource {
    /** The maximum number of organizations in {@code me}; the list of organizations is complete. */
    private static final int MAX_LISTED_ORGANIZATIONS = 1_000;

    private static final int MAX_SETUP_TOKEN_LENGTH = 100;

    private final SignIn signIn;
    private final InvitationAcceptance acceptance;
    private final Sessions sessions;
    private final Organizations organizations;
    private final FirstUserSetup firstRun;
    private final UserStore users;
    private final SessionCookie cookie;
    private final InvitationMail mail;
    private final String costCurrency;
    private final boolean standby;

    SessionResource(
            SignIn signIn,
            InvitationAcceptance acceptance,
            Sessions sessions,
            Organizations organizations,
            FirstUserSetup firstRun,
            Database database,
            SessionCookie cookie,
            InvitationMail mail,
            Settings.Models models,
            Settings.Engines engines) {
        this.standby = engines.standby();
        this.costCurrency = models.prices().currency().getCurrencyCode();
        this.mail = mail;
        this.signIn = signIn;
        this.acceptance = acceptance;
        this.firstRun = firstRun;
        this.users = database.statements(UserStore.class);
        this.sessions = sessions;
        this.organizations = organizations;
        this.cookie = cookie;
    }

    /** The credentials for signing in. */
    @Schema(name = "Login")
    public record Login(
            @NotNull @Text(min = 1, max = UserStore.MAX_EMAIL_LENGTH) @Schema(examples = "ada@acme.example")
            String email,

            @NotNull @Text(min = 1, max = PasswordHasher.MAX_LENGTH)
            String password,

            @Schema(
                    implementation = String.class,
                    description =
                            "The account to use if several organizations have an account with this unproven address "
                                    + "and this password; by default the newest")
            @Nullable
            OrganizationId organizationId) {
        @Override
        public String toString() {
            return "Login[" + email + "]";
        }
    }

    /** A request to accept an invitation. */
    @FurtherChecks
    @Schema(name = "InvitationAcceptance")
    public record Acceptance(
            @Schema(
                    description = "Required unless the signed-in account accepts, whose password does not change",
                    minLength = PasswordHasher.MIN_LENGTH,
                    maxLength = PasswordHasher.MAX_LENGTH)
            @Nullable
            String password) {
        @Override
        public String toString() {
            return "Acceptance[]";
        }
    }

    /** Whether the installation has no user yet. */
    @Schema(name = "SetUp")
    public record SetUp(
            boolean needed,

            @Schema(description = "Whether the token in the query is the one that the service printed")
            boolean tokenValid) {}

    /** The first user and organization. */
    @FurtherChecks
    @Schema(name = "FirstUser")
    public record FirstUserRequest(
            @NotNull
            @Text(min = 1, max = MAX_SETUP_TOKEN_LENGTH)
            @Schema(description = "The token that the service prints on its terminal")
            String token,

            @NotNull
            @Text(min = 1, max = UserStore.MAX_EMAIL_LENGTH)
            @Schema(pattern = UserStore.EMAIL_PATTERN, examples = "ada@acme.example")
            String email,

            @NotNull @Name String name,

            @NotNull @Text(min = PasswordHasher.MIN_LENGTH, max = PasswordHasher.MAX_LENGTH)
            String password,

            @NotNull @Name @Schema(examples = "Acme") String organization) {
        @Override
        public String toString() {
            return "FirstUser[" + email + "]";
        }
    }

    /** A change; absent fields stay unchanged. */
    @Schema(name = "AccountChange")
    public record ProfileChange(
            @Name @Schema(examples = "Ada Lovelace") @Nullable
            String name) {}

    /** The signed-in user. */
    @Schema(name = "Me")
    public record Me(
            UserId id,
            String email,
            String name,

            @Schema(description = "Whether the user operates the installation")
            boolean operator,

            List<MembershipView> organizations,

            @Schema(
                    description = "Whether the user has proven the email address, by a mailed invitation or OpenID "
                            + "Connect; the first user's address counts as proven")
            boolean emailProven,

            @Schema(description = "Whether an SMTP server is configured; otherwise emails are held")
            boolean emailsSent,

            @Schema(description = "Currency of all costs, an ISO 4217 code", examples = "EUR")
            String costCurrency,

            @Schema(description = "Whether the service is on standby: it serves reads only, and runs and sends nothing")
            boolean standby) {}

    /** An organization of the signed-in user. */
    @Schema(name = "MyOrganization")
    public record MembershipView(
            OrganizationId id,
            String name,

            @Schema(enumeration = {"owner", "admin", "member"})
            String role) {}

    @POST
    @Access(OPEN)
    @Path("/login")
    @Operation(summary = "Sign in", description = "Sets the session cookie, which ends 12 h after its last use.")
    @APIResponseSchema(value = Me.class, responseCode = "200", responseDescription = "Signed in")
    @APIResponse(responseCode = "401", description = "Email or password is wrong")
    @APIResponse(responseCode = "429", description = "Too many failed attempts; `Retry-After` says when to try again")
    public Response login(Login login, @Context RoutingContext request) {
        Optional<OrganizationId> preferred = Optional.ofNullable(login.organizationId());
        return begin(signIn.byPassword(login.email(), login.password(), preferred, cookie.client(request)), request);
    }

    @GET
    @Access(OPEN)
    @Path("/invitations/{token}")
    @Operation(summary = "Read an invitation", description = "Needs no session; the token authorizes the request.")
    @APIResponseSchema(
            value = OpenInvitation.class,
            responseCode = "200",
            responseDescription = "The invitation is open")
    @APIResponse(responseCode = "404", description = "The token is unknown, used or expired")
    public OpenInvitation invitation(@PathParam("token") String token) {
        return acceptance.find(token);
    }

    @POST
    @Access(OPEN)
    @Path("/invitations/{token}")
    @Operation(
            operationId = "acceptInvitation",
            summary = "Accept an invitation",
            description = "If the email address has an account, that account accepts while signed in. Otherwise "
                    + "this sets the invited person's password and signs in; a mailed token proves the "
                    + "address, and unproven accounts of the address are deleted. A token is valid once, for 7 "
                    + "days.")
    @APIResponseSchema(value = Me.class, responseCode = "200", responseDescription = "Signed in")
    @APIResponse(responseCode = "403", description = "Another account is signed in, or its address is not proven")
    @APIResponse(responseCode = "404", description = "The token is unknown, used or expired")
    @APIResponse(responseCode = "409", description = "The address has an account: sign in with it first")
    public Response accept(@PathParam("token") String token, Acceptance chosen, @Context RoutingContext request) {
        var validator = RequestValidator.of(chosen);
        Optional<DashboardUser> user = DashboardUser.find(request);
        if (user.isPresent() && acceptsAs(user.get(), token, chosen)) {
            validator.done();
            acceptance.byAccount(token, user.get());
            return Response.ok(me(user.get())).build();
        }
        String password =
                validator.text(chosen.password(), "/password", PasswordHasher.MIN_LENGTH, PasswordHasher.MAX_LENGTH);
        validator.done();
        return begin(signIn.byInvitation(token, password, cookie.client(request)), request);
    }

    @GET
    @Access(OPEN)
    @Path("/setup")
    @Operation(summary = "Whether the installation waits for its first user")
    public SetUp setUp(@QueryParam("token") @Nullable String token) {
        return new SetUp(firstRun.isNeeded(), token != null && firstRun.isValid(token));
    }

    @POST
    @Access(OPEN)
    @Path("/setup")
    @Operation(
            operationId = "setUp",
            summary = "Set up the installation",
            description = "Creates the first user, an operator, and the first organization, and signs in.")
    @APIResponseSchema(value = Me.class, responseCode = "200", responseDescription = "Signed in")
    @APIResponse(responseCode = "403", description = "The token is not the one that the service printed")
    @APIResponse(responseCode = "409", description = "A user already exists")
    public Response setUpFirst(FirstUserRequest first, @Context RoutingContext request) {
        var validator = RequestValidator.of(first);
        String email = first.email();
        validator.require(
                email == null || email.isEmpty() || UserStore.isEmail(email),
                ViolationCode.INVALID_FORMAT,
                "/email",
                UserStore.INVALID_EMAIL);
        validator.done();
        return begin(firstRun.setUp(first, cookie.client(request)), request);
    }

    @POST
    @Access(USER)
    @Path("/logout")
    @Consumes(MediaType.WILDCARD)
    @Operation(summary = "Sign out", description = "Ends this session on every node at once.")
    @APIResponse(responseCode = "204", description = "Signed out")
    public Response logout(@Context RoutingContext request) {
        sessions.end(SessionCookie.token(request));
        return Response.noContent().cookie(cookie.ended(request.request())).build();
    }

    @GET
    @Access(USER)
    @Path("/me")
    @Operation(summary = "Read the signed-in user")
    public Me me(@Context RoutingContext request) {
        return me(DashboardUser.of(request));
    }

    @PATCH
    @Access(USER)
    @Path("/me")
    @Operation(summary = "Change the signed-in user's name")
    @APIResponse(responseCode = "204", description = "Changed")
    public void change(ProfileChange change, @Context RoutingContext request) {
        if (change.name() != null) {
            users.rename(DashboardUser.of(request).id(), change.name());
        }
    }

    /** Without a password, only the signed-in account can accept; with one, it accepts if the invitation is for it. */
    private boolean acceptsAs(DashboardUser user, String token, Acceptance chosen) {
        OpenInvitation invitation = acceptance.find(token);
        boolean isOwn = invitation.hasAccount() && user.email().equals(invitation.email());
        return isOwn || (invitation.hasAccount() && chosen.password() == null);
    }

    private Response begin(SignedIn signedIn, RoutingContext request) {
        return Response.ok(me(signedIn.user()))
                .cookie(cookie.of(signedIn, request.request()))
                .build();
    }

    private Me me(DashboardUser user) {
        List<MembershipView> places =
                organizations.ofMember(user.id(), Optional.empty(), MAX_LISTED_ORGANIZATIONS).stream()
                        .map(found -> new MembershipView(found.id(), found.name(), String.valueOf(found.role())))
                        .toList();
        return new Me(
                user.id(),
                user.email(),
                user.name(),
                user.operator(),
                places,
                user.emailProven(),
                mail.isSent(),
                costCurrency,
                standby);
    }
}
