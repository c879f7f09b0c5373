/** File storage: any S3-compatible store, or a local directory with the same guarantees. */
@NullMarked
package dev.parley.blob;

import org.jspecify.annotations.NullMarked;
