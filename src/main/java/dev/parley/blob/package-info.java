/** Where files are kept: any S3-compatible store, or a directory of this machine under the same rules. */
@NullMarked
package dev.parley.blob;

import org.jspecify.annotations.NullMarked;
