package dev.parley.workflow.instance.core.event;

/** The result of an event: a decision, or a rejection that changes nothing. */
public sealed interface TransitionResult permits Decision, Rejection {}
