/** What an instance receives and decides: events, effects and rejections. */
@NullMarked
package dev.parley.workflow.instance.core.event;

import org.jspecify.annotations.NullMarked;
