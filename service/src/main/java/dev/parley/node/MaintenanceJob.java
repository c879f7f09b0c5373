package dev.parley.node;

import java.time.Duration;

/**
 * Periodic work, such as deleting expired rows, that one node at a time does and that may be delayed. A feature
 * provides it as a bean; {@link MaintenanceScheduler} runs it.
 *
 * @param name unique, and stable across versions because it is the key of the schedule's row
 * @param pause from the end of one run to the start of the next, on any node
 * @param work may run twice if a node dies during it
 */
public record MaintenanceJob(String name, Duration pause, Runnable work) {}
