/** Expressions of workflow definitions in CEL, the Common Expression Language: types, compilation and evaluation. */
@NullMarked
package dev.parley.workflow.expression.core;

import org.jspecify.annotations.NullMarked;
