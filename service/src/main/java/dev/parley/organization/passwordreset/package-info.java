/** Reset links for forgotten passwords. */
@NullMarked
package dev.parley.organization.passwordreset;

import org.jspecify.annotations.NullMarked;
