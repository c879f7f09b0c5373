/** The chat model: one port, answered by an OpenAI-compatible service or by the offline model. */
@NullMarked
package dev.parley.llm;

import org.jspecify.annotations.NullMarked;
