package dev.parley.conversation;

/** The purpose of a conversation. */
public enum ConversationUsecase {
    /** General chat with the service. */
    DEFAULT,
    /** Each message starts an instance of the conversation's workflow, or answers one. */
    WORKFLOW_EXECUTION
}
