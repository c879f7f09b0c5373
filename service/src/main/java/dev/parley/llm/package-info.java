/** The chat model: a port with two implementations, a model at an endpoint and the offline model. */
@NullMarked
package dev.parley.llm;

import org.jspecify.annotations.NullMarked;
