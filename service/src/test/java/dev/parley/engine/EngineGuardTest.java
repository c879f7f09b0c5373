package dev.parley.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.id.WorkflowId;
import dev.parley.settings.Settings;
import dev.parley.settings.Settings.EngineKind;
import dev.parley.settings.SettingsException;
import dev.parley.workflow.instance.Workflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class EngineGuardTest {
    @Test
    void anEngineDoesNotStartWhileAnotherOneHasUnfinishedInstances() {
        Tenant tenant = Tenant.create();
        WorkflowId workflow = Workflows.of(tenant).ai("think").publish();
        String id = tenant.post(
                        "/workflows/" + workflow + "/trigger/sync?wait_seconds=0",
                        Map.of("human_msg", "offline:wait 60000"))
                .expect(202)
                .text("/workflow_instance_id");
        EngineKind running = Tenant.bean(Settings.Engines.class).kind();
        EngineKind other = running == EngineKind.LOCAL ? EngineKind.RESTATE : EngineKind.LOCAL;
        assertThatThrownBy(() -> EngineGuard.check(Tenant.bean(Database.class), other))
                .isInstanceOf(SettingsException.class)
                .hasMessage("PARLEY_ENGINE must be '" + running.name().toLowerCase(Locale.ROOT)
                        + "' until every workflow instance of that engine has ended.");
        EngineGuard.check(Tenant.bean(Database.class), running);
        tenant.post("/workflow_instances/" + id + "/cancel", Map.of()).expect(200);
    }
}
