/** Organizations, their people and teams, roles, and sign-in to the dashboard. */
@NullMarked
package dev.parley.organization;

import org.jspecify.annotations.NullMarked;
