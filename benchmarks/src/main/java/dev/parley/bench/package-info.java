/** What {@code ./parley bench} runs: starts the service, loads it, and writes benchmarks/RESULTS.md. */
package dev.parley.bench;
