package dev.parley.node;

import java.time.Duration;

/**
 * Something that is done now and then by one of the nodes, and that nobody misses for a while, such as clearing away
 * what expired. A feature makes it as a bean; {@link MaintenanceScheduler} does it.
 *
 * @param name unique, and kept over versions: the row of the schedule has it
 * @param pause from the end of one run to the beginning of the next, on whatever node
 * @param work may run twice, when a node dies over it
 */
public record MaintenanceJob(String name, Duration pause, Runnable work) {}
