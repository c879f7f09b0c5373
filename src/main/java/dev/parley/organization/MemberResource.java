package dev.parley.organization;

import dev.parley.http.DashboardUser;
import dev.parley.http.Page;
import dev.parley.http.RequestValidator;
import dev.parley.http.core.SingleLineText;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.problem.Violation;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.ResponseStatus;
import org.jspecify.annotations.Nullable;

/** The members of an organization and their roles. */
@Path("/dashboard/api/organizations/{orgId}/members")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "Members")
public final class MemberResource {
    private static final int MAX_NAME_LENGTH = 100;
    private static final int MAX_TEAMS = 100;
    private static final String ROLES = "'/role' must be owner, admin or member.";

    private final MemberStore store;
    private final OrganizationAccess access;
    private final PasswordReset resets;

    MemberResource(MemberStore store, OrganizationAccess access, PasswordReset resets) {
        this.store = store;
        this.resets = resets;
        this.access = access;
    }

    /** A request to add a member. */
    @Schema(name = "NewMember")
    public record NewMember(
            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = UserStore.MAX_EMAIL_LENGTH,
                    pattern = UserStore.EMAIL_PATTERN,
                    examples = "ada@acme.example")
            @Nullable
            String email,

            @Schema(
                    required = true,
                    minLength = 1,
                    maxLength = MAX_NAME_LENGTH,
                    pattern = SingleLineText.PATTERN,
                    examples = "Ada")
            @Nullable
            String name,

            @Schema(
                    required = true,
                    enumeration = {"owner", "admin", "member"})
            @Nullable
            String role,

            @Schema(
                    maxItems = MAX_TEAMS,
                    description =
                            "Teams that the person joins now. Without it none, and those of an open invitation stay")
            @Nullable
            List<@Nullable Integer> teamIds) {}

    /** A request to change a member's role. */
    @Schema(name = "RoleChange")
    public record RoleChange(
            @Schema(
                    required = true,
                    enumeration = {"owner", "admin", "member"})
            @Nullable
            String role) {}

    /** An invited person, with the invitation's token if it is not mailed. */
    @Schema(name = "AddedMember")
    public record AddedMember(
            UserId id,
            String email,
            String name,
            String role,
            String status,
            boolean emailProven,
            Instant createdAt,
            @Nullable Instant lastSeenAt,

            @Schema(
                    description =
                            "For `POST /dashboard/api/invitations/{token}`. Returned only here, and only if no SMTP "
                                    + "server is configured; otherwise null, and the invitation's link is mailed",
                    nullable = true)
            @Nullable
            String invitationToken,

            @Schema(description = "Whether the person's open invitation was replaced")
            boolean updated) {
        static AddedMember of(MemberStore.MemberAddition added) {
            Member member = added.member();
            return new AddedMember(
                    member.id(),
                    member.email(),
                    member.name(),
                    member.role(),
                    member.status(),
                    member.emailProven(),
                    member.createdAt(),
                    member.lastSeenAt(),
                    added.invitationToken().orElse(null),
                    added.updated());
        }
    }

    /** A link for a new password. */
    @Schema(name = "PasswordResetLink")
    public record ResetLink(
            @Schema(description = "The link is `/reset-password#` with this token. Returned only here")
            String resetToken,

            Instant expiresAt) {
        @Override
        public String toString() {
            return "ResetLink[]";
        }
    }

    @GET
    @Operation(summary = "List members", description = "By the creation time of the account.")
    public Page<Member> list(
            @PathParam("orgId") String orgId,
            @Parameter(description = "Part of the name or email address, in any case", example = "ada")
                    @QueryParam("search")
                    @DefaultValue("")
                    String search,
            @Parameter(
                            description = "`invited` for open invitations",
                            schema = @Schema(enumeration = {"active", "invited"}))
                    @QueryParam("status")
                    @Nullable
                    String status,
            @QueryParam("limit") @Nullable String limit,
            @QueryParam("after") @Nullable String after,
            @Context RoutingContext request) {
        OrganizationId id = access.require(DashboardUser.of(request), orgId, Role.MEMBER);
        int max = Page.limit(limit);
        var validator = new RequestValidator();
        String searched = validator.parameterSearch(search, UserStore.MAX_EMAIL_LENGTH);
        validator.requireParameter(
                status == null || status.equals("active") || status.equals("invited"),
                "status",
                "'status' must be active or invited.");
        validator.done();
        return Page.of(
                store.list(id, Optional.ofNullable(status), searched, Page.after(after, UserId::parse), max + 1),
                max,
                member -> member.id().text());
    }

    @POST
    @ResponseStatus(201)
    @Operation(
            summary = "Invite a person",
            description = "Owners and admins; only owners invite owners. The person becomes a member by accepting the"
                    + " invitation, also with an account that is a member elsewhere. Inviting the person again"
                    + " replaces an open invitation with its role and teams, and its link stops working; where an SMTP"
                    + " server is set, it also lets a member with an unproven address prove it, who keeps role and"
                    + " teams. Operators may invite to an organization that has no owner who"
                    + " can sign in.")
    @APIResponseSchema(value = AddedMember.class, responseCode = "201", responseDescription = "Invited")
    @APIResponse(responseCode = "409", description = "The person is already a member")
    public AddedMember add(@PathParam("orgId") String orgId, NewMember requested, @Context RoutingContext request) {
        OrganizationId id = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        DashboardUser person = DashboardUser.of(request);
        var actor = new MemberStore.Inviter(person, inviterRole(person, id));
        var validator = new RequestValidator();
        String email = validator.text(requested.email(), "/email", 1, UserStore.MAX_EMAIL_LENGTH);
        validator.require(email.isEmpty() || UserStore.isEmail(email), "/email", UserStore.INVALID_EMAIL);
        String name = validator.name(requested.name(), "/name", MAX_NAME_LENGTH);
        Role role = role(requested.role(), validator);
        Optional<List<Integer>> teams = teams(requested.teamIds(), validator);
        validator.done();
        return AddedMember.of(store.add(id, actor, email, name, role, teams));
    }

    private static Optional<List<Integer>> teams(@Nullable List<@Nullable Integer> ids, RequestValidator validator) {
        if (ids == null) {
            return Optional.empty();
        }
        validator.require(ids.size() <= MAX_TEAMS, "/team_ids", "'/team_ids' must have at most 100 teams.");
        for (int i = 0; i < ids.size(); i++) {
            validator.require(ids.get(i) != null, "/team_ids/" + i, "'/team_ids/" + i + "' must be the id of a team.");
        }
        return Optional.of(ids.stream().filter(Objects::nonNull).toList());
    }

    @PATCH
    @Path("/{userId}")
    @Operation(summary = "Change a member's role", description = "Owners and admins; only owners change owners.")
    @APIResponse(responseCode = "409", description = "The organization would have no owner who can sign in")
    @APIResponseSchema(value = Member.class, responseCode = "200", responseDescription = "Changed")
    public Member change(
            @PathParam("orgId") String orgId,
            @PathParam("userId") String userId,
            RoleChange change,
            @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.ADMIN);
        Role actor = access.require(person, id, Role.ADMIN);
        UserId user = RequestValidator.pathId(userId, "member", UserId::parse);
        var validator = new RequestValidator();
        Role role = role(change.role(), validator);
        validator.done();
        return store.changeRole(id, actor, user, role);
    }

    @POST
    @Path("/{userId}/reset-link")
    @Consumes(MediaType.WILDCARD)
    @ResponseStatus(201)
    @Operation(
            summary = "Create a link for a new password",
            description = "For a member who cannot sign in; the link is valid once, for one hour. Owners and admins, "
                    + "for accounts that belong to this organization alone; only owners for owners; operators for any "
                    + "account. The use of an admin's link makes the account's address unproven, because the admin "
                    + "has seen the link.")
    @APIResponseSchema(value = ResetLink.class, responseCode = "201", responseDescription = "Created")
    @APIResponse(
            responseCode = "409",
            description = "The account belongs to another organization too, signs in with OpenID Connect, is the "
                    + "caller's own, or is still invited")
    public ResetLink createResetLink(
            @PathParam("orgId") String orgId, @PathParam("userId") String userId, @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = RequestValidator.pathId(orgId, "organization", OrganizationId::parse);
        Role actor = person.operator() ? Role.OWNER : access.require(person, id, Role.ADMIN);
        UserId user = RequestValidator.pathId(userId, "member", UserId::parse);
        var created = resets.createLink(id, person, actor, user);
        return new ResetLink(created.token(), created.expiresAt());
    }

    @DELETE
    @Path("/{userId}")
    @Operation(
            summary = "Remove a member",
            description = "Owners and admins; members may remove themselves; only owners remove owners. The "
                    + "account remains.")
    @APIResponse(responseCode = "204", description = "Removed")
    @APIResponse(responseCode = "409", description = "The organization would have no owner who can sign in")
    public void remove(
            @PathParam("orgId") String orgId, @PathParam("userId") String userId, @Context RoutingContext request) {
        DashboardUser person = DashboardUser.of(request);
        OrganizationId id = access.require(person, orgId, Role.MEMBER);
        UserId user = RequestValidator.pathId(userId, "member", UserId::parse);
        boolean self = user.equals(person.id());
        Role actor = access.require(person, id, self ? Role.MEMBER : Role.ADMIN);
        store.remove(id, actor, user, self);
    }

    /**
     * An organization loses its last owner when another person proves that owner's address; an operator can then invite
     * a new one.
     */
    private Role inviterRole(DashboardUser person, OrganizationId organization) {
        return person.operator() && store.isWithoutOwner(organization)
                ? Role.OWNER
                : access.require(person, organization, Role.ADMIN);
    }

    private static Role role(@Nullable String text, RequestValidator validator) {
        if (text == null) {
            validator.add(Violation.missing("/role"));
            return Role.MEMBER;
        }
        return Role.parse(text).orElseGet(() -> {
            validator.add(Violation.invalid("/role", ROLES));
            return Role.MEMBER;
        });
    }
}
