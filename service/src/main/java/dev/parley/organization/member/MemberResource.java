package dev.parley.organization.member;

import static dev.parley.http.access.Access.Caller.ADMIN;
import static dev.parley.http.access.Access.Caller.MEMBER;
import static dev.parley.http.access.Access.Caller.USER;

import dev.parley.db.Database;
import dev.parley.http.Page;
import dev.parley.http.PageRequest;
import dev.parley.http.RequestValidator;
import dev.parley.http.access.Access;
import dev.parley.http.access.DashboardUser;
import dev.parley.http.constraint.FurtherChecks;
import dev.parley.http.constraint.Name;
import dev.parley.http.constraint.Text;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Member;
import dev.parley.organization.MemberRequest;
import dev.parley.organization.MemberStore;
import dev.parley.organization.OrganizationAccess;
import dev.parley.organization.Role;
import dev.parley.organization.passwordreset.PasswordReset;
import dev.parley.organization.passwordreset.PasswordResetLinks.CreatedPasswordReset;
import dev.parley.organization.user.UserStore;
import dev.parley.problem.ViolationCode;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import jakarta.ws.rs.BeanParam;
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
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
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
    private final MemberStore store;
    private final Members members;
    private final OrganizationAccess access;
    private final PasswordReset resets;

    MemberResource(Database database, Members members, OrganizationAccess access, PasswordReset resets) {
        this.store = database.statements(MemberStore.class);
        this.members = members;
        this.resets = resets;
        this.access = access;
    }

    /** A request to add a member. */
    @FurtherChecks
    @Schema(name = "NewMember")
    public record NewMember(
            @NotNull
            @Text(min = 1, max = UserStore.MAX_EMAIL_LENGTH)
            @Schema(pattern = UserStore.EMAIL_PATTERN, examples = "ada@acme.example")
            String email,

            @NotNull @Name @Schema(examples = "Ada") String name,

            @NotNull @Schema(enumeration = {"owner", "admin", "member"})
            String role,

            @Size(max = 100)
            @Schema(
                    description =
                            "Teams that the person joins now. Without it none, and those of an open invitation stay")
            @Nullable
            List<@NotNull Integer> teamIds) {}

    /** A request to change a member's role. */
    @FurtherChecks
    @Schema(name = "RoleChange")
    public record RoleChange(
            @NotNull @Schema(enumeration = {"owner", "admin", "member"})
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
        static AddedMember of(Member member, Optional<String> invitationToken, boolean updated) {
            return new AddedMember(
                    member.id(),
                    member.email(),
                    member.name(),
                    member.role(),
                    member.status(),
                    member.emailProven(),
                    member.createdAt(),
                    member.lastSeenAt(),
                    invitationToken.orElse(null),
                    updated);
        }

        @Override
        public String toString() {
            return "AddedMember[" + id + "]";
        }
    }

    @GET
    @Access(MEMBER)
    @Operation(summary = "List members", description = "By the creation time of the account.")
    public Page<Member> list(
            @BeanParam MemberRequest member,
            @Parameter(
                            description = "Part of the name or email address, in any case",
                            example = "ada",
                            schema = @Schema(type = SchemaType.STRING, maxLength = UserStore.MAX_EMAIL_LENGTH))
                    @QueryParam("search")
                    @DefaultValue("")
                    String search,
            @Parameter(
                            description = "`invited` for open invitations",
                            schema = @Schema(enumeration = {"active", "invited"}))
                    @QueryParam("status")
                    @Nullable
                    String status,
            @BeanParam PageRequest page) {
        var validator = new RequestValidator();
        String searched = validator.parameterSearch(search, UserStore.MAX_EMAIL_LENGTH);
        validator.requireParameter(
                status == null || status.equals("active") || status.equals("invited"),
                ViolationCode.NOT_ONE_OF,
                "status",
                "'status' must be active or invited.",
                Map.of("allowed", List.of("active", "invited")));
        validator.done();
        List<Member> found = store.list(
                member.organization(), Optional.ofNullable(status), searched, page.after(UserId::parse), page.rows());
        return page.page(found, one -> one.id().text());
    }

    @POST
    @ResponseStatus(201)
    @Access(USER)
    @Operation(
            operationId = "addMember",
            summary = "Invite a person",
            description = "Owners and admins; only owners invite owners. The person becomes a member by accepting the"
                    + " invitation, also with an account that is a member elsewhere. Inviting the person again"
                    + " replaces an open invitation with its role and teams, and its link stops working; where an SMTP"
                    + " server is set, it also lets a member with an unproven address prove it, who keeps role and"
                    + " teams. Operators may invite to an organization that has no owner who"
                    + " can sign in.")
    @APIResponseSchema(value = AddedMember.class, responseCode = "201", responseDescription = "Invited")
    @APIResponse(responseCode = "409", description = "The person is already a member")
    public AddedMember add(
            @PathParam("orgId") OrganizationId organization, NewMember requested, @Context RoutingContext request) {
        DashboardUser user = DashboardUser.of(request);
        var actor = new Members.Inviter(user, inviterRole(user, organization));
        var validator = RequestValidator.of(requested);
        String email = requested.email();
        validator.require(
                email == null || email.isEmpty() || UserStore.isEmail(email),
                ViolationCode.INVALID_FORMAT,
                "/email",
                UserStore.INVALID_EMAIL);
        Role role = role(requested.role(), validator);
        validator.done();
        return members.add(
                organization, actor, email, requested.name(), role, Optional.ofNullable(requested.teamIds()));
    }

    @PATCH
    @Path("/{userId}")
    @Access(ADMIN)
    @Operation(summary = "Change a member's role", description = "Owners and admins; only owners change owners.")
    @APIResponse(responseCode = "409", description = "The organization would have no owner who can sign in")
    @APIResponseSchema(value = Member.class, responseCode = "200", responseDescription = "Changed")
    public Member change(@BeanParam MemberRequest member, @PathParam("userId") UserId user, RoleChange change) {
        var validator = RequestValidator.of(change);
        Role role = role(change.role(), validator);
        validator.done();
        return members.changeRole(member.organization(), member.role(), user, role);
    }

    @POST
    @Path("/{userId}/reset-link")
    @Access(USER)
    @Consumes(MediaType.WILDCARD)
    @ResponseStatus(201)
    @Operation(
            operationId = "createPasswordResetLink",
            summary = "Create a link for a new password",
            description = "For a member who cannot sign in; the link is valid once, for one hour. Owners and admins, "
                    + "for accounts that belong to this organization alone; only owners for owners; operators for any "
                    + "account. The use of an admin's link makes the account's address unproven, because the admin "
                    + "has seen the link.")
    @APIResponseSchema(value = CreatedPasswordReset.class, responseCode = "201", responseDescription = "Created")
    @APIResponse(
            responseCode = "409",
            description = "The account belongs to another organization too, signs in with OpenID Connect, is the "
                    + "caller's own, or is still invited")
    public CreatedPasswordReset createResetLink(
            @PathParam("orgId") OrganizationId organization,
            @PathParam("userId") UserId user,
            @Context RoutingContext request) {
        DashboardUser caller = DashboardUser.of(request);
        Role actor = caller.operator() ? Role.OWNER : access.require(caller, organization, Role.ADMIN);
        return resets.createLink(organization, caller, actor, user);
    }

    @DELETE
    @Path("/{userId}")
    @Access(MEMBER)
    @Operation(
            operationId = "removeMember",
            summary = "Remove a member",
            description = "Owners and admins; members may remove themselves; only owners remove owners. The "
                    + "account remains.")
    @APIResponse(responseCode = "204", description = "Removed")
    @APIResponse(responseCode = "409", description = "The organization would have no owner who can sign in")
    public void remove(@BeanParam MemberRequest member, @PathParam("userId") UserId user) {
        boolean self = user.equals(member.user().id());
        Role actor = self ? member.role() : access.require(member.user(), member.organization(), Role.ADMIN);
        members.remove(member.organization(), actor, user, self);
    }

    /**
     * An organization loses its last owner when another person proves that owner's address; an operator can then invite
     * a new one.
     */
    private Role inviterRole(DashboardUser user, OrganizationId organization) {
        return user.operator() && members.isWithoutOwner(organization)
                ? Role.OWNER
                : access.require(user, organization, Role.ADMIN);
    }

    private static Role role(@Nullable String text, RequestValidator validator) {
        Optional<Role> role = Optional.ofNullable(text).flatMap(Role::parse);
        validator.require(
                text == null || role.isPresent(),
                ViolationCode.NOT_ONE_OF,
                "/role",
                "'/role' must be owner, admin or member.",
                Map.of("allowed", List.of("owner", "admin", "member")));
        return role.orElse(Role.MEMBER);
    }
}
