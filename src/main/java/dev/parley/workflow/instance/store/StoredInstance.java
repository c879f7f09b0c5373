package dev.parley.workflow.instance.store;

import dev.parley.workflow.instance.core.InstanceState;

/** An instance as stored in the database. */
public record StoredInstance(InstanceHeader header, InstanceState state) {}
