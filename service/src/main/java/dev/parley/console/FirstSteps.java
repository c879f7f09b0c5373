package dev.parley.console;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** What an organization has done so far, for the checklist of the overview. */
@Schema(name = "FirstSteps")
public record FirstSteps(
        @Schema(description = "Whether an agent is published")
        boolean agentPublished,

        @Schema(description = "Whether an agent has run") boolean agentRun,

        @Schema(description = "Whether there is a conversation")
        boolean conversationStarted,

        @Schema(description = "Whether there is an API key") boolean keyCreated,

        @Schema(description = "Whether a second person was invited")
        boolean memberInvited) {}
