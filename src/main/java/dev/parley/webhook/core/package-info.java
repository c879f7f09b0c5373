/** What follows from a receiver's answer, and when. */
@NullMarked
package dev.parley.webhook.core;

import org.jspecify.annotations.NullMarked;
