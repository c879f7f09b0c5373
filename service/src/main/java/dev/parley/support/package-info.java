/** Support bundles: what is known about an installation when something is wrong. */
@NullMarked
package dev.parley.support;

import org.jspecify.annotations.NullMarked;
