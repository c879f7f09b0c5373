/** Other workflow engines, doing the work of {@code examples/one-task.json} and {@code examples/ten-tasks.json}. */
package dev.parley.bench.peer;
