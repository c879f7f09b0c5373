/** Sign-in to the dashboard through an OpenID Connect provider (docs/decisions/0095). */
@NullMarked
package dev.parley.organization.oidc;

import org.jspecify.annotations.NullMarked;
