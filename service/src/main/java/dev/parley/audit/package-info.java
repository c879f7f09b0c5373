/** The audit log: who did what in an organization, when and from where. */
@NullMarked
package dev.parley.audit;

import org.jspecify.annotations.NullMarked;
