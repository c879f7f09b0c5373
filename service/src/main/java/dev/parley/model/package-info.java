/** The models of organizations: which one replies to a request, and what the reply costs. */
@org.jspecify.annotations.NullMarked
package dev.parley.model;
