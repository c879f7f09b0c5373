package dev.parley.workflow.task.coder.sandbox;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Tells at {@code /health} which layers are around user code. It is always up: a node without them is as ready for
 * everything else, and {@code PARLEY_CODER_SANDBOX=strict} is there for who will not have that.
 */
@Singleton
public final class SandboxHealth {
    private final Sandbox sandbox;

    SandboxHealth(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    @Produces
    @Singleton
    @Readiness
    HealthCheck layersAreTold() {
        return () -> HealthCheckResponse.named("code sandbox")
                .up()
                .withData(
                        "layers",
                        sandbox.layers()
                                .map(layers -> String.join(", ", layers))
                                .orElse("being found out"))
                .build();
    }
}
