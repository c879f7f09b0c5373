/** The APIs of model endpoints, translated from and to OpenAI's chat completions. */
@org.jspecify.annotations.NullMarked
package dev.parley.llm.protocol;
