/** Lists, counts and bulk actions of instances. */
@NullMarked
package dev.parley.workflow.instance.api.list;

import org.jspecify.annotations.NullMarked;
