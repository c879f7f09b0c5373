package dev.parley.ratelimit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.id.OrganizationId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TwoNodesLimitTest {
    @Test
    void twoNodesTogetherGiveNoMoreThanTheLimit() {
        try (Database database = TestPostgres.migrated()) {
            var nodes = List.of(new RateLimits(database), new RateLimits(database));
            OrganizationId organization = OrganizationId.next();
            List<CompletableFuture<Boolean>> permits = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                permits.add(nodes.get(i % 2).acquire(organization, 100));
            }
            assertThat(permits.stream().filter(CompletableFuture::join)).hasSize(100);
            assertThat(nodes.get(0).acquire(organization, 100).join()).isFalse();
        }
    }
}
