/** The program that reads one document and exits. */
@NullMarked
package dev.parley.reader;

import org.jspecify.annotations.NullMarked;
