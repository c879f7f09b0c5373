/** What the person who starts the service sees first: the demo organization and the banner. */
@NullMarked
package dev.parley.console;

import org.jspecify.annotations.NullMarked;
