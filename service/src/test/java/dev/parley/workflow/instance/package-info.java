@NullMarked
package dev.parley.workflow.instance;

import org.jspecify.annotations.NullMarked;
