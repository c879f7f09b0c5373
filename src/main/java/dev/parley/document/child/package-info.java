/** The program that reads one document and ends; it uses nothing of the service. */
@NullMarked
package dev.parley.document.child;

import org.jspecify.annotations.NullMarked;
