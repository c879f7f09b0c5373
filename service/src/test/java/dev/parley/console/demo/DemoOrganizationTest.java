package dev.parley.console.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestClock;
import dev.parley.TestSize;
import dev.parley.apikey.ApiKeys;
import dev.parley.console.PasswordResetCommand;
import dev.parley.console.StartupBanner;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.db.TestPostgres;
import dev.parley.id.UserId;
import dev.parley.organization.Organizations;
import dev.parley.organization.signin.TestFirstRun;
import dev.parley.organization.team.Teams;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import dev.parley.tool.catalog.KnownTools;
import dev.parley.workflow.definition.WorkflowService;
import dev.parley.workflow.definition.reference.DefinitionReferences;
import dev.parley.workflow.task.coder.CodeArtifacts;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoOrganizationTest {
    private final Database database = TestPostgres.migrated();
    private Clock clock = new TestClock();
    private final PasswordHasher passwords = new PasswordHasher(TestSize.SMALLEST);
    private final UserStore users = database.statements(UserStore.class);

    @TempDir
    Path data;

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void anEmptyInstallationGetsADemoAndItsFile() throws Exception {
        DemoOrganization demo = start(8080, true);

        assertThat(demo.outcome()).isEqualTo(DemoOrganization.DemoOutcome.CREATED);
        assertThat(file())
                .extracting(line -> line.substring(0, line.indexOf('=')))
                .containsExactly(
                        "PARLEY_URL",
                        "PARLEY_API_KEY",
                        "PARLEY_ORGANIZATION_ID",
                        "PARLEY_WORKFLOW_ID",
                        "PARLEY_EMAIL",
                        "PARLEY_PASSWORD");
        assertThat(file()).contains("PARLEY_URL=http://localhost:8080", "PARLEY_EMAIL=demo@parley.example");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("demo.env"))))
                .isEqualTo("rw-------");
        assertThat(count("app_user WHERE operator AND email = 'demo@parley.example'"))
                .isEqualTo(1);
        assertThat(count("team_member")).isEqualTo(1);
        assertThat(count("workflow")).isEqualTo(DemoWorkflows.NAMES.size());
        assertThat(count("workflow WHERE published_version = 1")).isEqualTo(DemoWorkflows.NAMES.size());
        assertThat(count(
                        "workflow_reference r JOIN code_artifact a ON a.id::text = r.target WHERE r.kind = 'code_artifact'"
                                + " AND r.published AND a.name = 'Currency conversion'"))
                .isEqualTo(1);
        assertThat(count("workflow WHERE name = 'One task' AND replace(id::text, '-', '') = '"
                        + demo.file().read(DemoEnvFile.WORKFLOW).orElseThrow() + "'"))
                .isEqualTo(1);
    }

    @Test
    void anotherStartChangesNothingButTheAddress() throws Exception {
        start(8080, true);
        List<String> before = file();
        Files.writeString(data.resolve("demo.env"), String.join("\n", before) + "\nMINE=1\n");

        DemoOrganization again = start(9090, true);

        assertThat(again.outcome()).isEqualTo(DemoOrganization.DemoOutcome.FOUND);
        assertThat(file().getFirst()).isEqualTo("PARLEY_URL=http://localhost:9090");
        assertThat(file().subList(1, before.size())).isEqualTo(before.subList(1, before.size()));
        assertThat(file()).endsWith("MINE=1");
        assertThat(count("organization")).isEqualTo(1);
        assertThat(count("api_key")).isEqualTo(1);
    }

    @Test
    void aFileLeftByAKilledStartIsRewritten() throws Exception {
        Files.writeString(data.resolve("demo.env"), "PARLEY_API_KEY=of a start that never committed\n");

        assertThat(start(8080, true).outcome()).isEqualTo(DemoOrganization.DemoOutcome.CREATED);
        assertThat(file()).noneMatch(line -> line.contains("never committed"));
    }

    @Test
    void aLostFileIsRecreatedIfTheDatabaseIsNotShared() throws Exception {
        DemoOrganization first = start(8080, true);
        String workflow = first.file().read(DemoEnvFile.WORKFLOW).orElseThrow();
        String password = first.file().read(DemoEnvFile.PASSWORD).orElseThrow();
        Files.delete(data.resolve("demo.env"));

        DemoOrganization again = start(8080, true);

        assertThat(again.outcome()).isEqualTo(DemoOrganization.DemoOutcome.RENEWED);
        assertThat(again.file().read(DemoEnvFile.WORKFLOW)).contains(workflow);
        assertThat(again.file().read(DemoEnvFile.PASSWORD)).isPresent().isNotEqualTo(Optional.of(password));
        assertThat(count("organization")).isEqualTo(1);
        assertThat(count("api_key")).isEqualTo(2);
    }

    @Test
    void aLostFileIsOnlyReportedIfTheDatabaseIsShared() throws Exception {
        start(8080, true);
        Files.delete(data.resolve("demo.env"));

        DemoOrganization again = start(8080, false);

        assertThat(again.outcome()).isEqualTo(DemoOrganization.DemoOutcome.FILE_LOST);
        assertThat(data.resolve("demo.env")).doesNotExist();
        assertThat(banner(again)).contains("demo@parley.example").doesNotContain("Bearer");
    }

    @Test
    void anInstallationThatHasAUserGetsNoDemo() {
        var _ = users.create(UserId.next(), "somebody@example.com", "TestUser", false, null, clock.instant());

        assertThat(start(8080, true).outcome()).isEqualTo(DemoOrganization.DemoOutcome.NONE);
        assertThat(data.resolve("demo.env")).doesNotExist();
    }

    @Test
    void onlyTheStartThatMadeThemShowsPasswordAndKey() {
        DemoOrganization first = start(8080, true);
        String key = first.file().read(DemoEnvFile.API_KEY).orElseThrow();
        String password = first.file().read(DemoEnvFile.PASSWORD).orElseThrow();

        assertThat(banner(first)).contains(key, password, "curl -s http://localhost:8080/developer/api/conversations");
        assertThat(banner(start(8080, true)))
                .contains(data.resolve("demo.env").toString(), "$PARLEY_API_KEY", "offline model")
                .doesNotContain(key)
                .doesNotContain(password);
    }

    @Test
    void theCommandPrintsALinkForEveryAccountOfTheAddress() {
        start(8080, true);
        assertThat(PasswordResetCommand.links(commandSettings(), database, "DEMO@parley.example"))
                .satisfiesExactly(
                        text -> assertThat(text).contains("DEMO@parley.example", "60 minutes"),
                        link -> assertThat(link).matches("  http://localhost:8080/reset-password#[A-Za-z0-9_-]{43}"));
        assertThat(count("password_reset WHERE organization_id IS NULL")).isEqualTo(1);
        assertThatThrownBy(() -> PasswordResetCommand.links(commandSettings(), database, "nobody@parley.example"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("No account");
    }

    @Test
    void everyExampleThatNeedsNoFurtherSetupIsInTheDemo() throws Exception {
        try (var files = Files.list(Path.of("../examples"))) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".json"))
                            .map(name -> name.replace(".json", ""))
                            // Need a tool provider, a data lake or another agent, or are only run by another one.
                            .filter(name -> !Set.of(
                                            "claim",
                                            "stock-forecast",
                                            "sales-comments",
                                            "complaint",
                                            "revise-until-content",
                                            "draft-review")
                                    .contains(name)))
                    .containsExactlyInAnyOrderElementsOf(DemoWorkflows.NAMES);
        }
    }

    private PasswordResetCommand.CommandSettings commandSettings() {
        Settings settings = settings(8080);
        return new PasswordResetCommand.CommandSettings(settings.database(), settings.storage(), settings.publicUrl());
    }

    /** On a busy machine the first validation of the examples takes longer than other transactions may be idle. */
    @Test
    void theTransactionMayTakeMinutes() {
        Set<String> timeouts = new HashSet<>();
        clock = new TestClock() {
            @Override
            public Instant instant() {
                timeouts.add(
                        database.transaction(handle -> handle.createQuery("SHOW idle_in_transaction_session_timeout")
                                .mapTo(String.class)
                                .one()));
                return super.instant();
            }
        };
        start(8080, true);
        assertThat(timeouts).contains("5min");
    }

    private DemoOrganization start(int port, boolean alone) {
        Settings settings = settings(port);
        var secret = new MasterKey(settings.storage(), database);
        var demo = new DemoOrganization(
                database,
                settings.firstStart(),
                settings.publicUrl(),
                settings.storage(),
                passwords,
                new Organizations(database, clock, settings.quotas()),
                new Teams(database, clock),
                new DemoWorkflows(
                        new WorkflowService(database, clock),
                        new DefinitionReferences(database, new KnownTools(database)),
                        new CodeArtifacts(database, clock, TestSize.SMALLEST)),
                new ApiKeys(database, clock, secret),
                clock);
        demo.prepare(alone);
        return demo;
    }

    private Settings settings(int port) {
        return Settings.of(Map.of(
                Setting.PARLEY_DATA,
                data.toString(),
                Setting.PARLEY_PORT,
                Integer.toString(port),
                Setting.PARLEY_DEMO,
                "true",
                Setting.PARLEY_SECRET,
                "a secret of the tests, which is long enough"));
    }

    private String banner(DemoOrganization demo) {
        Settings settings = settings(8080);
        var sandbox = new Sandbox(settings.coder(), settings.storage());
        try {
            return String.join(
                    "\n",
                    new StartupBanner(
                                    settings.logging(),
                                    settings.publicUrl(),
                                    settings.models(),
                                    settings.egress(),
                                    settings.storage(),
                                    settings.size(),
                                    demo,
                                    sandbox,
                                    TestFirstRun.of(database, passwords, settings),
                                    new dev.parley.node.NodeVersion("1", 1))
                            .lines());
        } finally {
            sandbox.close();
        }
    }

    private List<String> file() throws IOException {
        return Files.readAllLines(data.resolve("demo.env"));
    }

    private int count(String what) {
        return database.with(handle -> handle.createQuery("SELECT count(*) FROM " + what)
                .mapTo(Integer.class)
                .one());
    }
}
