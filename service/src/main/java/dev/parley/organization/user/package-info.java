/** The users of the installation, with their passwords and ticket emails. */
@NullMarked
package dev.parley.organization.user;

import org.jspecify.annotations.NullMarked;
