/** The file store in a bucket of any S3-compatible service, and the probe of what that service supports. */
@NullMarked
package dev.parley.blob.s3;

import org.jspecify.annotations.NullMarked;
