package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.sqlobject.statement.SqlBatch;
import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jdbi.v3.sqlobject.statement.SqlUpdate;
import org.junit.jupiter.api.Test;

/** Every annotated statement names the organization whose rows it reads or writes. */
class StatementOrganizationTest {
    /** Statements of no organization, with the reason. */
    private static final Map<String, String> EXCEPTIONS = Map.ofEntries(
            Map.entry("ApiKeyStore.find", "authenticates: the organization is what it finds"),
            Map.entry("AttemptStatements.deleteAttempts", "deletes those of deleted organizations"),
            Map.entry("AttemptStatements.deleteLogs", "deletes those of deleted organizations"),
            Map.entry("AuditStore.targets", "the statements of AuditTargetKind, which all name it"),
            Map.entry("BacklogStore.read", "counts of all organizations, for the operator"),
            Map.entry("BudgetStore.deleteReleased", "maintenance of all organizations"),
            Map.entry("BudgetStore.organizationsWaiting", "the organizations are what it finds"),
            Map.entry("BudgetStore.release", "releases what the calls of a node reserved"),
            Map.entry("ConversationLeaseStore.heldBy", "reads the conversations of a node"),
            Map.entry("DataLakeStore.abandoned", "maintenance of all organizations"),
            Map.entry("DataLakeStore.abandonedWrites", "maintenance of all organizations"),
            Map.entry("DataLakeStore.ofDeletedOrganizations", "maintenance of all organizations"),
            Map.entry("DeliveryStore.organizations", "maintenance of each organization"),
            Map.entry("DocumentReadingStore.delete", "maintenance of all organizations"),
            Map.entry("EventStore.deleteExpired", "maintenance of all organizations"),
            Map.entry("IdentityStore.find", "identifies: an account is what it finds"),
            Map.entry("IdentityStore.link", "an account belongs to no organization"),
            Map.entry("IdentityStore.markUsed", "a sign-in of no known account"),
            Map.entry("IdempotencyStore.deleteExpired", "maintenance of all organizations"),
            Map.entry("InvitationStore.find", "the organization is what its token finds"),
            Map.entry("MailStore.claimUnowned", "claims the mails of all organizations"),
            Map.entry("MailStore.deleteOld", "maintenance of all organizations"),
            Map.entry("MailStore.disown", "takes over the mails of a node"),
            Map.entry("MailStore.due", "reads the mails of a node"),
            Map.entry("MailStore.queueHeld", "queues the mails of all organizations"),
            Map.entry("MediaStore.abandon", "maintenance of all organizations"),
            Map.entry("MemberStore.deleteAll", "an account that is deleted"),
            Map.entry("MemberStore.organizationsOf", "the organizations are what it finds"),
            Map.entry("ModelUsageStore.add", "each row has its organization"),
            Map.entry("NodeStore.all", "nodes serve all organizations"),
            Map.entry("OrganizationStore.all", "the organizations are what it finds, for an operator"),
            Map.entry("OrganizationStore.ofMember", "the organizations are what it finds"),
            Map.entry("PasswordResetStore.deleteAll", "an account belongs to no organization"),
            Map.entry("PasswordResetStore.find", "authenticates: an account is what it finds"),
            Map.entry("PasswordResetStore.recipient", "the organization is what it finds"),
            Map.entry("ResponseStore.deleteOfDeletedOrganizations", "deletes those of deleted organizations"),
            Map.entry("ResponseStore.deleteOld", "maintenance of all organizations"),
            Map.entry("SessionStore.deleteExpired", "maintenance of all organizations"),
            Map.entry("SessionStore.end", "a session belongs to an account"),
            Map.entry("SessionStore.endAll", "a session belongs to an account"),
            Map.entry("SessionStore.endOthers", "a session belongs to an account"),
            Map.entry("SessionStore.find", "a session belongs to an account"),
            Map.entry("SessionStore.insert", "a session belongs to an account"),
            Map.entry("SessionStore.isValid", "a session belongs to an account"),
            Map.entry("SessionStore.list", "a session belongs to an account"),
            Map.entry("SessionStore.see", "a session belongs to an account"),
            Map.entry("SignInThrottleStore.blockedUntil", "counts before an account is known"),
            Map.entry("SignInThrottleStore.count", "counts before an account is known"),
            Map.entry("SignInThrottleStore.delete", "counts before an account is known"),
            Map.entry("SignInThrottleStore.deleteForgotten", "maintenance of all organizations"),
            Map.entry("SignInThrottleStore.isKnown", "counts before an account is known"),
            Map.entry("SignInThrottleStore.remember", "counts before an account is known"),
            Map.entry("SignInThrottleStore.uncount", "counts before an account is known"),
            Map.entry("StoredAddressStore.changeEmail", "maintenance of all organizations"),
            Map.entry("StoredAddressStore.copyMemberships", "maintenance of all organizations"),
            Map.entry("StoredAddressStore.copyTeams", "maintenance of all organizations"),
            Map.entry("StoredAddressStore.find", "maintenance of all organizations"),
            Map.entry("StoredAddressStore.mergeAccount", "maintenance of all organizations"),
            Map.entry("StoredAddressStore.moveIdentities", "maintenance of all organizations"),
            Map.entry("StoredAddressStore.raiseRoles", "maintenance of all organizations"),
            Map.entry("StoredAddressStore.unconverted", "maintenance of all organizations"),
            Map.entry("SubscriptionStore.changedSince", "copies the subscriptions of all organizations"),
            Map.entry("SubscriptionStore.deleteExpired", "maintenance of all organizations"),
            Map.entry("SubscriptionStore.isOnlyNode", "reads the nodes"),
            Map.entry("SubscriptionStore.writers", "reads the locks of all transactions"),
            Map.entry("ToolProviderStore.stale", "finds the providers of all organizations"),
            Map.entry("TicketStore.count", "counts the ids of a query that names it"),
            Map.entry("TicketStore.lockDue", "finds the next reminder of any organization"),
            Map.entry("UserStore.account", "an account belongs to no organization"),
            Map.entry("UserStore.areNone", "an account belongs to no organization"),
            Map.entry("UserStore.changePassword", "an account belongs to no organization"),
            Map.entry("UserStore.changeTicketEmails", "an account belongs to no organization"),
            Map.entry("UserStore.create", "an account belongs to no organization"),
            Map.entry("UserStore.delete", "an account belongs to no organization"),
            Map.entry("UserStore.isInvited", "the organizations are what it finds"),
            Map.entry("UserStore.lock", "an account belongs to no organization"),
            Map.entry("UserStore.lockIsProven", "an account belongs to no organization"),
            Map.entry("UserStore.lockOrganizations", "the organizations are what it finds"),
            Map.entry("UserStore.lockUnproven", "an account belongs to no organization"),
            Map.entry("UserStore.passwordHash", "an account belongs to no organization"),
            Map.entry("UserStore.prove", "an account belongs to no organization"),
            Map.entry("UserStore.proven", "authenticates: an account is what it finds"),
            Map.entry("UserStore.rename", "an account belongs to no organization"),
            Map.entry("UserStore.renameUnproven", "an account belongs to no organization"),
            Map.entry("UserStore.renewHash", "an account belongs to no organization"),
            Map.entry("UserStore.resettable", "the organizations are what it finds"),
            Map.entry("UserStore.ticketEmails", "an account belongs to no organization"),
            Map.entry("UserStore.usedUnproven", "the organizations are what it finds"),
            Map.entry("UserStore.withPassword", "authenticates: an account is what it finds"));

    @Test
    void everyStatementNamesTheOrganization() {
        Map<String, String> statements = statements();
        assertThat(statements).isNotEmpty();
        Set<String> without = statements.entrySet().stream()
                .filter(statement -> !statement.getValue().contains(":organization"))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(without).isEqualTo(new TreeSet<>(EXCEPTIONS.keySet()));
    }

    private static Map<String, String> statements() {
        return new ClassFileImporter()
                .importPath(Path.of("target/classes")).stream()
                        .filter(JavaClass::isInterface)
                        .map(JavaClass::reflect)
                        .flatMap(type -> Stream.of(type.getDeclaredMethods()))
                        .filter(method -> sql(method).isPresent())
                        .collect(Collectors.toMap(
                                method -> method.getDeclaringClass().getSimpleName() + '.' + method.getName(),
                                method -> sql(method).orElseThrow(),
                                (one, other) -> one.contains(":organization") ? other : one));
    }

    private static Optional<String> sql(Method method) {
        return Stream.of(
                        Optional.ofNullable(method.getAnnotation(SqlQuery.class))
                                .map(SqlQuery::value),
                        Optional.ofNullable(method.getAnnotation(SqlUpdate.class))
                                .map(SqlUpdate::value),
                        Optional.ofNullable(method.getAnnotation(SqlBatch.class))
                                .map(SqlBatch::value))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
