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
            Map.entry("DeliveryStore.organizations", "maintenance of each organization"),
            Map.entry("DocumentReadingStore.delete", "maintenance of all organizations"),
            Map.entry("EventStore.deleteExpired", "maintenance of all organizations"),
            Map.entry("MailStore.claimUnowned", "claims the mails of all organizations"),
            Map.entry("MailStore.deleteOld", "maintenance of all organizations"),
            Map.entry("MailStore.disown", "takes over the mails of a node"),
            Map.entry("MailStore.due", "reads the mails of a node"),
            Map.entry("MailStore.queueHeld", "queues the mails of all organizations"),
            Map.entry("MediaStore.abandon", "maintenance of all organizations"),
            Map.entry("MemberStore.deleteResets", "an account belongs to no organization"),
            Map.entry("MemberStore.organizationsOf", "the organizations are what it finds"),
            Map.entry("OrganizationStore.all", "the organizations are what it finds, for an operator"),
            Map.entry("OrganizationStore.ofMember", "the organizations are what it finds"),
            Map.entry("SubscriptionStore.changedSince", "copies the subscriptions of all organizations"),
            Map.entry("SubscriptionStore.deleteExpired", "maintenance of all organizations"),
            Map.entry("SubscriptionStore.isOnlyNode", "reads the nodes"),
            Map.entry("SubscriptionStore.writers", "reads the locks of all transactions"),
            Map.entry("TicketStatements.count", "counts the ids of a query that names it"),
            Map.entry("TicketStatements.lockDue", "finds the next reminder of any organization"));

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
