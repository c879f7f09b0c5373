/** The program that reads one document and exits; it has no dependency on the service. */
@NullMarked
package dev.parley.document.child;

import org.jspecify.annotations.NullMarked;
