/** The chat model on an OpenAI-compatible service. */
@NullMarked
package dev.parley.llm.openai;

import org.jspecify.annotations.NullMarked;
