/** Members and their invitations. */
@NullMarked
package dev.parley.organization.member;

import org.jspecify.annotations.NullMarked;
