/** The chat model at an endpoint: requests and replies as OpenAI's chat completions, retries and adaptations. */
@NullMarked
package dev.parley.llm.openai;

import org.jspecify.annotations.NullMarked;
