/** Accounts across organizations: unproven addresses, and the audit of memberships. */
@NullMarked
package dev.parley.organization.account;

import org.jspecify.annotations.NullMarked;
