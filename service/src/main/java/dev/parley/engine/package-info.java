/** The engines that run workflow instances, and the choice of one. */
@NullMarked
package dev.parley.engine;

import org.jspecify.annotations.NullMarked;
