/** What follows from a receiver's answer, and when (DECISIONS 8). */
@NullMarked
package dev.parley.webhook.core;

import org.jspecify.annotations.NullMarked;
