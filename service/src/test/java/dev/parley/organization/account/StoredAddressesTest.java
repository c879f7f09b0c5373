package dev.parley.organization.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.TestClock;
import dev.parley.audit.TestMembershipAudit;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import dev.parley.organization.user.UserStore;
import dev.parley.settings.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accounts of earlier releases, whose addresses have a domain in Unicode. */
class StoredAddressesTest {
    private static final String UNICODE = "ada@bücher.example";
    private static final String ASCII = "ada@xn--bcher-kva.example";

    private final TestClock clock = new TestClock();
    private final Database database = TestPostgres.migrated();
    private final UserStore users = database.statements(UserStore.class);
    private final StoredAddresses addresses = new StoredAddresses(
            database, new UnprovenAccounts(database, new TestMembershipAudit(database, clock), clock));
    private OrganizationId acme;
    private OrganizationId other;

    @BeforeEach
    void createOrganizations() {
        acme = organization("grace@acme.example");
        other = organization("eve@other.example");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private OrganizationId organization(String owner) {
        UserId user = users.create(UserId.next(), owner, "Owner", false, null, clock.instant())
                .orElseThrow();
        return new Organizations(database, clock, Settings.of(Map.of()).quotas()).create("Acme", user);
    }

    private UserId proven(String email, @Nullable String hash) {
        return account(email, hash, null);
    }

    /** A member of the organization to which the account belongs. */
    private UserId unproven(String email, @Nullable String hash, OrganizationId organization, String role) {
        UserId user = account(email, hash, organization);
        join(user, organization, role);
        return user;
    }

    private UserId account(String email, @Nullable String hash, @Nullable OrganizationId organization) {
        UserId id = UserId.next();
        database.change(handle -> handle.execute(
                "INSERT INTO app_user (id, email, name, operator, password_hash, created_at, proven_at,"
                        + " organization_id) VALUES (?, ?, 'Ada', false, ?, now(), CASE WHEN ? THEN now() END, ?)",
                id.value(),
                email,
                hash,
                organization == null,
                organization == null ? null : organization.value()));
        return id;
    }

    private void join(UserId user, OrganizationId organization, String role) {
        database.change(handle -> handle.execute(
                "INSERT INTO membership (organization_id, user_id, role, created_at) VALUES (?, ?, ?, now())",
                organization.value(),
                user.value(),
                role));
    }

    private void link(UserId user, String subject) {
        database.change(handle -> handle.execute(
                "INSERT INTO user_identity (issuer, subject, user_id, email, created_at)"
                        + " VALUES ('https://acme.example', ?, ?, 'x', now())",
                subject,
                user.value()));
    }

    /** Twice, because every start does. */
    private void convert() {
        addresses.convert();
        addresses.convert();
    }

    private <T> T read(Function<Handle, T> query) {
        return database.with(query);
    }

    private String email(UserId user) {
        return users.account(user).orElseThrow().user().email();
    }

    private Optional<UserId> found(String email) {
        return users.proven(email);
    }

    private @Nullable String hash(UserId user) {
        return users.account(user).orElseThrow().passwordHash();
    }

    private boolean exists(UserId user) {
        return users.account(user).isPresent();
    }

    private List<String> roles(UserId user, OrganizationId organization) {
        return read(handle -> handle.createQuery(
                        "SELECT role FROM membership WHERE user_id = :user AND organization_id = :organization")
                .bind("user", user)
                .bind("organization", organization)
                .mapTo(String.class)
                .list());
    }

    @ParameterizedTest
    @CsvSource({
        "ada@bücher.example,ada@BÜCHER.example",
        "ada@bu\u0308cher.example,ada@bücher.example",
        "ada@例え.テスト,ada@例え.テスト",
        "ada@sub.bücher.example,ada@sub.xn--bcher-kva.example"
    })
    void anAccountIsFoundByBothFormsOfItsAddress(String stored, String typed) {
        UserId ada = proven(stored, "hash");
        assertThat(found(typed)).isEmpty();
        convert();
        assertThat(found(typed)).contains(ada);
        assertThat(found(stored)).contains(ada);
        assertThat(users.create(UserId.next(), typed, "Ada", false, null, clock.instant()))
                .isEmpty();
    }

    @Test
    void unprovenAccountsOfSeveralOrganizationsAreKept() {
        UserId first = unproven(UNICODE, "one", acme, "member");
        UserId second = unproven(UNICODE, null, other, "admin");
        convert();
        assertThat(email(first)).isEqualTo(ASCII);
        assertThat(email(second)).isEqualTo(ASCII);
        assertThat(roles(second, other)).containsExactly("admin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jürgen@acme.example", "ada@straße.example", "ada@\u0430cme\u200b.example"})
    void anAddressWithoutAnAsciiFormIsUnchanged(String email) {
        UserId user = proven(email, "hash");
        convert();
        assertThat(email(user)).isEqualTo(email);
        assertThat(found(email)).contains(user);
    }

    @Test
    void aProvenAccountAbsorbsTheInvitationThatCouldNotFindIt() {
        UserId ada = proven(UNICODE, "hash");
        join(ada, acme, "member");
        UserId invited = unproven(ASCII, null, acme, "admin");
        UserId elsewhere = unproven(ASCII, null, other, "member");
        convert();
        assertThat(exists(invited)).isFalse();
        assertThat(roles(ada, acme)).containsExactly("member");
        assertThat(exists(elsewhere)).isTrue();
        assertThat(roles(ada, other)).isEmpty();
    }

    @Test
    void twoProvenAccountsBecomeOne() {
        UserId ada = proven(UNICODE, "old");
        join(ada, acme, "owner");
        UserId again = proven(ASCII, "new");
        join(again, acme, "member");
        join(again, other, "admin");
        link(again, "adas");
        convert();
        assertThat(found(UNICODE)).contains(ada);
        assertThat(exists(again)).isFalse();
        assertThat(hash(ada)).isEqualTo("new");
        assertThat(roles(ada, acme)).containsExactly("owner");
        assertThat(roles(ada, other)).containsExactly("admin");
        assertThat(this.<List<UUID>>read(handle -> handle.createQuery("SELECT user_id FROM user_identity")
                        .mapTo(UUID.class)
                        .list()))
                .containsExactly(ada.value());
    }

    @Test
    void twoFormsOfUnicodeBecomeOne() {
        UserId ada = proven(UNICODE, null);
        UserId again = proven("ada@bu\u0308cher.example", "hash");
        join(again, acme, "member");
        convert();
        assertThat(List.of(exists(ada), exists(again))).containsExactlyInAnyOrder(true, false);
        assertThat(roles(found(ASCII).orElseThrow(), acme)).containsExactly("member");
        assertThat(hash(found(ASCII).orElseThrow())).isEqualTo("hash");
    }

    @Test
    void anAccountOfAnIdentityIsNotGivenToTheAddressNextOwner() {
        UserId ada = proven(UNICODE, null);
        link(ada, "adas");
        UserId successor = proven(ASCII, "hash");
        convert();
        assertThat(email(ada)).isEqualTo(UNICODE);
        assertThat(found(UNICODE)).contains(successor);
    }

    @Test
    void anUnprovenAccountYieldsToAProvenOneOfTheSameOrganization() {
        UserId ada = unproven(UNICODE, "chosen by an admin", acme, "owner");
        UserId elsewhere = unproven(UNICODE, "chosen by another", other, "member");
        UserId proven = proven(ASCII, "own");
        join(proven, acme, "member");
        convert();
        assertThat(exists(ada)).isFalse();
        assertThat(roles(proven, acme)).containsExactly("owner");
        assertThat(hash(proven)).isEqualTo("own");
        assertThat(email(elsewhere)).isEqualTo(ASCII);
        assertThat(roles(proven, other)).isEmpty();
    }

    @Test
    void twoUnprovenAccountsOfOneOrganizationBecomeOne() {
        UserId ada = unproven(UNICODE, "old", acme, "admin");
        UserId again = unproven(ASCII, null, acme, "member");
        convert();
        assertThat(email(ada)).isEqualTo(ASCII);
        assertThat(exists(again)).isFalse();
        assertThat(hash(ada)).isEqualTo("old");
        assertThat(roles(ada, acme)).containsExactly("admin");
    }
}
