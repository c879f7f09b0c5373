package dev.parley.conversation;

/** What a conversation is for. */
public enum ConversationUsecase {
    /** General chat with the service. */
    DEFAULT,
    /** Each message starts, or answers, an instance of the conversation's workflow. */
    WORKFLOW_EXECUTION
}
