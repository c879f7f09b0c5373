@NullMarked
package dev.parley.workflow.expression.core;

import org.jspecify.annotations.NullMarked;
