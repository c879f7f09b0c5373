/** Renders the output of tasks as files: documents, tables, slides. */
@NullMarked
package dev.parley.workflow.task.file;

import org.jspecify.annotations.NullMarked;
