/** Renders texts of tasks as files, in the process that reads documents; it has no dependency on the service. */
@NullMarked
package dev.parley.reader.render;

import org.jspecify.annotations.NullMarked;
