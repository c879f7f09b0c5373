/** OpenAI's dialects of models and workflows: their requests, objects and streams, below {@code /v1}. */
@NullMarked
package dev.parley.openai;

import org.jspecify.annotations.NullMarked;
