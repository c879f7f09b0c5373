/** The chat model: a port with two implementations, an OpenAI-compatible service and the offline model. */
@NullMarked
package dev.parley.llm;

import org.jspecify.annotations.NullMarked;
