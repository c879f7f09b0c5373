package dev.parley.workflow.task.coder.sandbox;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Reports the isolation of user code at {@code /health}. Always up: a node without isolation serves everything else,
 * and {@code PARLEY_CODER_SANDBOX=strict} makes isolation mandatory.
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
                                .orElse("being detected"))
                .build();
    }
}
