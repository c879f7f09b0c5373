/** Reads tables of files into columns of one type each, and converts them for data lakes. */
@NullMarked
package dev.parley.reader.table;

import org.jspecify.annotations.NullMarked;
