package dev.parley.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.TestClock;
import dev.parley.blob.BlobKey;
import dev.parley.blob.BlobStore;
import dev.parley.id.WorkflowInstanceId;
import dev.parley.workflow.instance.PublishedWorkflows;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The clean-up of files that tasks stored. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class OrphanedFilesTest {
    @Inject
    TestClock clock;

    @Inject
    OrphanedFiles leftovers;

    @Inject
    AbandonedUploadJob abandoned;

    @Inject
    TaskFiles files;

    @Inject
    BlobStore blobs;

    @AfterEach
    void resetTheClock() {
        clock.reset();
    }

    @Test
    void filesOfUncommittedRunsAreDeletedADayAfterTheEnd() throws Exception {
        Tenant tenant = Tenant.create();
        Api.Answer started = tenant.post(
                        "/workflows/" + PublishedWorkflows.yielding(tenant) + "/trigger/sync",
                        Map.of("human_msg", "a,b"))
                .expect(200);
        Api.Answer running = tenant.post(
                        "/workflows/" + PublishedWorkflows.asking(tenant) + "/trigger/sync", Map.of("human_msg", "x"))
                .expect(200);
        StoredFile named = stored(tenant, started);
        tenant.post(
                        "/workflows/" + PublishedWorkflows.yielding(tenant) + "/trigger/sync",
                        Map.of("human_msg", named.uri()))
                .expect(200);
        StoredFile left = stored(tenant, started);
        StoredFile waiting = stored(tenant, running);
        clear(Duration.ofHours(23));
        assertThat(isThere(left)).isTrue();
        clear(Duration.ofHours(2));
        assertThat(isThere(left)).isFalse();
        assertThat(isThere(waiting)).as("its task may still end").isTrue();
        assertThat(isThere(named)).as("another instance's output names it").isTrue();
        tenant.post("/workflow_instances/" + running.text("/workflow_instance_id") + "/cancel", Map.of())
                .expect(200);
        clear(Duration.ofMinutes(1));
        assertThat(isThere(waiting)).isFalse();
        assertThat(files.find(tenant.organization(), left.uri())).isEmpty();
    }

    private StoredFile stored(Tenant tenant, Api.Answer instance) throws FileException {
        return files.store(
                FileReference.task(
                        tenant.organization(),
                        WorkflowInstanceId.parse(instance.text("/workflow_instance_id"))
                                .orElseThrow(),
                        null,
                        null,
                        dev.parley.id.WorkflowId.parse(instance.text("/workflow_id"))
                                .orElseThrow()),
                "table.csv",
                "text/csv",
                TestFiles.CSV);
    }

    private void clear(Duration later) {
        clock.advance(later);
        leftovers.review();
        abandoned.clear();
    }

    private boolean isThere(StoredFile file) throws java.io.IOException {
        return blobs.info(new BlobKey(file.path())).isPresent();
    }
}
