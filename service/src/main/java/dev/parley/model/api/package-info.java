/** The routes of model providers and models, and the test of a model. */
@org.jspecify.annotations.NullMarked
package dev.parley.model.api;
