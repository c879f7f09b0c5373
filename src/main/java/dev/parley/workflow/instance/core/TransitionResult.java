package dev.parley.workflow.instance.core;

/** What becomes of an event: a decision, or a refusal that changes nothing. */
public sealed interface TransitionResult permits Decision, Rejection {}
