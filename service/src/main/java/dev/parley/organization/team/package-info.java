/** Teams of an organization. */
@NullMarked
package dev.parley.organization.team;

import org.jspecify.annotations.NullMarked;
