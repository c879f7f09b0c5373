/** Which internet addresses the service may connect to, without input or output (DECISIONS 8, "Egress"). */
@NullMarked
package dev.parley.egress.core;

import org.jspecify.annotations.NullMarked;
