/** Which internet addresses the service may connect to, without input or output. */
@NullMarked
package dev.parley.egress.core;

import org.jspecify.annotations.NullMarked;
