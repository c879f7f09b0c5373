/** Attached files in the form that a model reads. */
@NullMarked
package dev.parley.attachment;

import org.jspecify.annotations.NullMarked;
