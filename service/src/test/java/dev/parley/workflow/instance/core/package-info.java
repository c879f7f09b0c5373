@NullMarked
package dev.parley.workflow.instance.core;

import org.jspecify.annotations.NullMarked;
