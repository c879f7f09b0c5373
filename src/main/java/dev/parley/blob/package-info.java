/** Where files are kept: any S3-compatible store, or a directory of this machine under the same rules (DECISIONS 7). */
@NullMarked
package dev.parley.blob;

import org.jspecify.annotations.NullMarked;
