/** What kinds of model endpoints expect and return, translated from and to OpenAI's chat completions. */
@org.jspecify.annotations.NullMarked
package dev.parley.llm.protocol;
