/** Files that people attach, as a model reads them. */
@NullMarked
package dev.parley.attachment;

import org.jspecify.annotations.NullMarked;
