/** Creates the chat models of endpoints. */
@org.jspecify.annotations.NullMarked
package dev.parley.llm.factory;
