/** Makes real files of what tasks write: documents, tables, slides. */
@NullMarked
package dev.parley.workflow.task.file;

import org.jspecify.annotations.NullMarked;
