/** What model endpoints do that OpenAI's chat completions API does not describe. Pure functions and one memory. */
@org.jspecify.annotations.NullMarked
package dev.parley.llm.dialect;
