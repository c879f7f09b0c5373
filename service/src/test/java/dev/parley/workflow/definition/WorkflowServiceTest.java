package dev.parley.workflow.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestSize;
import dev.parley.conversation.WorkflowStageStore.Stage;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.http.IfMatch;
import dev.parley.id.OrganizationId;
import dev.parley.id.UserId;
import dev.parley.id.WorkflowId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.Violation;
import dev.parley.tool.catalog.KnownTools;
import dev.parley.workflow.definition.reference.DefinitionReferences;
import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class WorkflowServiceTest {
    private static final String BY = "user:0192f0c17a3b7c4d8e5f60718293a4b5";

    private static @Nullable Database database;

    private final OrganizationId organization = organization();
    private final WorkflowService store = new WorkflowService(database(), Clock.systemUTC());
    private final WorkflowStore statements = database().statements(WorkflowStore.class);

    @BeforeAll
    static void start() {
        database = TestPostgres.migrated();
    }

    @AfterAll
    static void stop() {
        database().close();
    }

    @Test
    void aDraftIsReturnedUnchanged() {
        Map<String, Object> document = Examples.tree("order-check");
        JsonEdit.set(document, "/tasks/0/input_parameters/4/value/tolerance", new BigDecimal("0.10"));

        Workflow made = store.create(organization, document, true, BY);

        WorkflowStore.WorkflowDraft found =
                statements.find(organization, made.id()).orElseThrow();
        assertThat(found.document()).isEqualTo(document);
        assertThat(found.workflow()).isEqualTo(made);
        assertThat(made.name()).isEqualTo("Order check");
        assertThat(made.publishedVersion()).isNull();
        assertThat(made.unpublishedChanges()).isTrue();
        assertThat(made.createdBy()).isEqualTo(BY);
    }

    @Test
    void aDraftWithFaultsIsKeptAndHasANameInLists() {
        Workflow made = store.create(organization, Map.of("name", 7, "tasks", "none"), false, BY);

        assertThat(made.name()).isEqualTo("Untitled");
        assertThat(made.valid()).isFalse();
        assertThat(statements.list(organization, WorkflowStore.WorkflowSearch.ALL, Optional.empty(), 10))
                .containsExactly(made);
    }

    @Test
    void publishingMakesVersionsThatNeverChange() {
        WorkflowId id =
                store.create(organization, Examples.tree("one-task"), true, BY).id();
        assertThat(store.stage(organization, id)).isEqualTo(Stage.DRAFT);
        assertThat(store.publishedVersion(organization, id)).isEmpty();

        assertThat(store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything))
                .contains(1);
        store.save(organization, id, Examples.tree("ten-tasks"), true, BY, IfMatch.ANY);
        assertThat(statements.find(organization, id).orElseThrow().workflow().unpublishedChanges())
                .isTrue();
        assertThat(store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything))
                .contains(2);

        assertThat(statements.version(organization, id, 1).orElseThrow().document())
                .isEqualTo(Examples.tree("one-task"));
        assertThat(statements.version(organization, id, 2).orElseThrow().document())
                .isEqualTo(Examples.tree("ten-tasks"));
        assertThat(statements.version(organization, id, 3)).isEmpty();
        assertThat(statements.versions(organization, id, Optional.empty(), 10))
                .extracting(WorkflowVersion.Summary::version)
                .containsExactly(2, 1);
        assertThat(statements.versions(organization, id, Optional.of(2), 10))
                .extracting(WorkflowVersion.Summary::version)
                .containsExactly(1);
        assertThat(store.stage(organization, id)).isEqualTo(Stage.PUBLISHED);
        assertThat(store.publishedVersion(organization, id)).contains(2);
    }

    @Test
    void publishingTwiceWithoutAChangeMakesOneVersion() {
        WorkflowId id =
                store.create(organization, Examples.tree("one-task"), true, BY).id();

        store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything);
        store.save(organization, id, Examples.tree("one-task"), true, BY, IfMatch.ANY);

        assertThat(store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything))
                .contains(1);
        assertThat(statements.find(organization, id).orElseThrow().workflow().unpublishedChanges())
                .isFalse();
    }

    @Test
    void aDraftThatIsAgainThePublishedVersionHasNoUnpublishedChanges() {
        WorkflowId id =
                store.create(organization, Examples.tree("one-task"), true, BY).id();
        store.save(organization, id, Examples.tree("ten-tasks"), true, BY, IfMatch.ANY);
        assertThat(saved(id, "one-task").unpublishedChanges()).isTrue();
        store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything);

        assertThat(saved(id, "ten-tasks").unpublishedChanges()).isTrue();
        Workflow restored = saved(id, "one-task");

        assertThat(restored.unpublishedChanges()).isFalse();
        assertThat(restored.revision()).isEqualTo(5);
        assertThat(store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything))
                .contains(1);
    }

    private Workflow saved(WorkflowId id, String example) {
        return store.save(organization, id, Examples.tree(example), true, BY, IfMatch.ANY)
                .orElseThrow();
    }

    @Test
    void twentyPeoplePublishingAtOnceMakeOneVersion() throws Exception {
        WorkflowId id =
                store.create(organization, Examples.tree("one-task"), true, BY).id();
        List<Callable<Optional<Integer>>> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(() -> store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Optional<Integer>> call : threads.invokeAll(calls)) {
                assertThat(call.get()).contains(1);
            }
        }
        assertThat(statements.versions(organization, id, Optional.empty(), 10)).hasSize(1);
    }

    @Test
    void aRefusedDraftIsNotPublished() {
        WorkflowId id = store.create(organization, Map.of(), false, BY).id();

        assertThatThrownBy(() -> store.publish(organization, id, BY, null, IfMatch.ANY, _ -> {
                    throw ApiProblem.invalid(Violation.missing("/name"));
                }))
                .isInstanceOf(ApiProblem.class);
        assertThat(store.stage(organization, id)).isEqualTo(Stage.DRAFT);
    }

    @Test
    void anArchivedWorkflowIsReadOnly() {
        WorkflowId id =
                store.create(organization, Examples.tree("one-task"), true, BY).id();
        store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything);

        assertThat(store.archive(organization, id, IfMatch.ANY)).isTrue();
        assertThat(store.archive(organization, id, IfMatch.ANY)).isTrue();

        assertThat(statements.list(organization, WorkflowStore.WorkflowSearch.ALL, Optional.empty(), 10))
                .isEmpty();
        assertThat(statements.find(organization, id).orElseThrow().workflow().archivedAt())
                .isNotNull();
        assertThat(store.stage(organization, id)).isEqualTo(Stage.ARCHIVED);
        assertThat(store.publishedVersion(organization, id)).isEmpty();
        assertThat(statements.version(organization, id, 1)).isPresent();
        assertThatThrownBy(() -> store.save(organization, id, Map.of(), false, BY, IfMatch.ANY))
                .isInstanceOfSatisfying(
                        ApiProblem.class, problem -> assertThat(problem.kind()).isEqualTo(ProblemKind.WRONG_STATUS));
        assertThatThrownBy(() -> store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything))
                .isInstanceOf(ApiProblem.class);
    }

    @Test
    void anotherOrganizationSeesNothing() {
        WorkflowId id =
                store.create(organization, Examples.tree("one-task"), true, BY).id();
        store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything);
        OrganizationId other = organization();

        assertThat(statements.find(other, id)).isEmpty();
        assertThat(store.save(other, id, Map.of(), false, BY, IfMatch.ANY)).isEmpty();
        assertThat(store.publish(other, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything))
                .isEmpty();
        assertThat(store.archive(other, id, IfMatch.ANY)).isFalse();
        assertThat(statements.version(other, id, 1)).isEmpty();
        assertThat(store.stage(other, id)).isEqualTo(Stage.UNKNOWN);
        assertThat(statements.list(other, WorkflowStore.WorkflowSearch.ALL, Optional.empty(), 10))
                .isEmpty();
        assertThat(new PublishedDefinitions(database(), TestSize.SMALLEST).find(other, id, 1))
                .isEmpty();
    }

    @Test
    void listsGoOnAfterACursorNewestFirst() {
        List<WorkflowId> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(store.create(organization, Examples.tree("one-task"), true, BY)
                    .id());
        }

        assertThat(statements.list(organization, WorkflowStore.WorkflowSearch.ALL, Optional.empty(), 3))
                .extracting(Workflow::id)
                .isEqualTo(ids.subList(0, 3));
        assertThat(statements.list(organization, WorkflowStore.WorkflowSearch.ALL, Optional.of(ids.get(2)), 3))
                .extracting(Workflow::id)
                .isEqualTo(ids.subList(3, 5));
    }

    @Test
    void aPublishedDefinitionIsReadOnceAndKept() {
        WorkflowId id =
                store.create(organization, Examples.tree("ten-tasks"), true, BY).id();
        store.publish(organization, id, BY, null, IfMatch.ANY, WorkflowServiceTest::anything);
        var definitions = new PublishedDefinitions(database(), TestSize.SMALLEST);

        var definition = definitions.find(organization, id, 1).orElseThrow();

        assertThat(definition).isEqualTo(Examples.definition("ten-tasks"));
        assertThat(definitions.find(organization, id, 1).orElseThrow()).isSameAs(definition);
        assertThat(definitions.find(organization, id, 2)).isEmpty();
    }

    @Test
    void onlyMembersAndLivingTeamsOfTheOrganizationMayBeAssigned() {
        UserId member = user();
        UserId stranger = user();
        database().change(handle -> {
            handle.execute(
                    "INSERT INTO membership VALUES (?, ?, 'member', now())", organization.value(), member.value());
            handle.execute("INSERT INTO team VALUES (?, 1, 'One', now())", organization.value());
            handle.execute("INSERT INTO team VALUES (?, 2, 'Two', now(), now())", organization.value());
        });
        var references = new DefinitionReferences(database(), new KnownTools(database()));
        Map<String, Object> document = Examples.tree("one-task");
        for (var assignee : Map.of(member.text(), "User", member.value().toString(), "User", "1", "Team")
                .entrySet()) {
            assign(document, assignee.getValue(), assignee.getKey());
            assertThat(references.validate(organization, document).errors()).isEmpty();
            assertThat(references.validate(organization(), document).errors()).hasSize(1);
        }
        for (String gone : Set.of("2", "3", "0", "999999999999")) {
            assign(document, "Team", gone);
            assertThat(references.validate(organization, document).errors()).hasSize(1);
        }
        assign(document, "User", stranger.text());
        assertThat(references.validate(organization, document).errors())
                .extracting(Violation::kind)
                .containsExactly(Violation.INVALID_ASSIGNMENT);
    }

    private static void anything(Map<String, @Nullable Object> document) {
        // Any draft may be published.
    }

    private static void assign(Map<String, Object> document, String type, String id) {
        JsonEdit.set(document, "/assignment_rules/0/assignment_type", type);
        JsonEdit.set(document, "/assignment_rules/0/assignee_id", id);
    }

    private static OrganizationId organization() {
        OrganizationId id = OrganizationId.next();
        database()
                .change(handle -> handle.execute(
                        "INSERT INTO organization (id, name, created_at) VALUES (?, 'Acme', now())", id.value()));
        return id;
    }

    private static UserId user() {
        UserId id = UserId.next();
        database()
                .change(handle -> handle.execute(
                        "INSERT INTO app_user (id, email, name, operator, created_at, proven_at)"
                                + " VALUES (?, ?, 'Ann', false, now(), now())",
                        id.value(),
                        id.text() + "@example.com"));
        return id;
    }

    private static Database database() {
        return java.util.Objects.requireNonNull(database);
    }
}
