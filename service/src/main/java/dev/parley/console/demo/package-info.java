/** The demo organization, and the examples that it and the templates of workflows use. */
@NullMarked
package dev.parley.console.demo;

import org.jspecify.annotations.NullMarked;
