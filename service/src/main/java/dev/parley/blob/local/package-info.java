/** The file store in a local directory, with uploads through this service. */
@NullMarked
package dev.parley.blob.local;

import org.jspecify.annotations.NullMarked;
