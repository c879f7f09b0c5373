/** Sign-in, the account of the signed-in user, and the first user of an installation. */
@NullMarked
package dev.parley.organization.signin;

import org.jspecify.annotations.NullMarked;
