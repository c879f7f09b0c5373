package dev.parley.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class MaintenanceSchedulerTest {
    @Inject
    Database database;

    @Inject
    @Any
    Instance<MaintenanceJob> chores;

    @Test
    void everyJobHasAScheduleRow() {
        Set<String> names = chores.stream().map(MaintenanceJob::name).collect(Collectors.toSet());
        assertThat(names).hasSizeGreaterThanOrEqualTo(2);
        Tenant.eventually(
                () -> database.with(handle -> handle.createQuery("SELECT task_name FROM scheduled_tasks")
                        .mapTo(String.class)
                        .set()),
                rows -> rows.containsAll(names));
    }

    @Test
    void onlyExpiredRowsAreDeleted() {
        Tenant tenant = Tenant.create();
        database.change(handle -> {
            for (String age : List.of("old", "new")) {
                String time = age.equals("old") ? "now() - interval '25 hours'" : "now() + interval '1 hour'";
                handle.execute(
                        "INSERT INTO session (token_hash, id, user_id, created_at, last_seen_at, expires_at, address)"
                                + " VALUES (?, gen_random_uuid(), ?, now(), now(), " + time + ", '127.0.0.1')",
                        token(tenant, age),
                        tenant.owner().value());
                handle.execute(
                        "INSERT INTO sign_in_throttle (subject, failures, blocked_until, forget_at) VALUES (?, 1,"
                                + " now(), " + time + ")",
                        (Object) token(tenant, age));
                handle.execute(
                        "INSERT INTO idempotency (organization_id, route, key, request_hash, created_at) VALUES (?,"
                                + " 'r', ?, 'h', " + time + ")",
                        tenant.organization().value(),
                        age);
            }
            handle.execute(
                    "INSERT INTO invitation (organization_id, user_id, token_hash, expires_at) VALUES (?, ?, ?, now() -"
                            + " interval '1 hour')",
                    tenant.organization().value(),
                    tenant.owner().value(),
                    token(tenant, "invitation"));
        });

        chores.forEach(chore -> chore.work().run());

        assertThat(count("session WHERE token_hash = ?", token(tenant, "old"))).isZero();
        assertThat(count("session WHERE token_hash = ?", token(tenant, "new"))).isOne();
        assertThat(count("sign_in_throttle WHERE subject = ?", token(tenant, "old")))
                .isZero();
        assertThat(count("sign_in_throttle WHERE subject = ?", token(tenant, "new")))
                .isOne();
        assertThat(count(
                        "invitation WHERE organization_id = ?",
                        tenant.organization().value()))
                .isZero();
        List<String> keys =
                database.with(handle -> handle.createQuery("SELECT key FROM idempotency WHERE organization_id = :id")
                        .bind("id", tenant.organization())
                        .mapTo(String.class)
                        .list());
        assertThat(keys).containsExactly("new");
    }

    private static byte[] token(Tenant tenant, String name) {
        return (tenant.organization().text() + name).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private int count(String where, Object value) {
        return database.with(handle -> handle.select("SELECT count(*) FROM " + where, value)
                .mapTo(Integer.class)
                .one());
    }
}
