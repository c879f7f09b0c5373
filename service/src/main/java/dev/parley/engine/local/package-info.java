/** The engine on PostgreSQL: each instance runs on one node, and another node takes over when that node dies. */
@NullMarked
package dev.parley.engine.local;

import org.jspecify.annotations.NullMarked;
