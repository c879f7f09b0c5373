/** Decides which IP addresses the service may connect to. No input or output. */
@NullMarked
package dev.parley.egress.core;

import org.jspecify.annotations.NullMarked;
