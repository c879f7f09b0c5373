package dev.parley.workflow.instance.store;

import dev.parley.workflow.instance.core.InstanceState;

/** An instance as the database has it. */
public record StoredInstance(InstanceHeader header, InstanceState state) {}
