/** Reads the requests of OpenAI's dialects. */
@NullMarked
package dev.parley.openai.request;

import org.jspecify.annotations.NullMarked;
