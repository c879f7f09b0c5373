package dev.parley.workflow.task.coder;

import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import dev.parley.problem.ViolationCode;
import dev.parley.workflow.task.coder.sandbox.CodeLanguage;
import dev.parley.workflow.task.coder.sandbox.Sandbox;
import dev.parley.workflow.task.coder.sandbox.SandboxRun;
import dev.parley.workflow.task.coder.sandbox.SandboxUnavailable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import org.jboss.logging.Logger;

/** Refuses code that does not parse. The sandbox parses it, because the service itself has no interpreters. */
@Singleton
final class SyntaxCheck {
    private static final Logger LOG = Logger.getLogger(SyntaxCheck.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final Sandbox sandbox;

    SyntaxCheck(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /** Throws a 400 with the line. Code is accepted unchecked while the sandbox is unavailable. */
    void require(OrganizationId organization, CodeLanguage language, String source) {
        try {
            SandboxRun.RunFailure failure =
                    sandbox.check(organization, language, source).orElse(null);
            if (failure != null && failure.line() != null) {
                throw ApiProblem.invalid(Violation.invalid(ViolationCode.INVALID_SYNTAX, "/source", failure.detail())
                        .with(Map.of("line", failure.line(), "message", failure.message())));
            }
        } catch (SandboxUnavailable e) {
            LOG.infof("Code was stored without a syntax check: %s", e.detail());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("This node shuts down.", RETRY_AFTER);
        }
    }
}
