/** Sessions of the dashboard: cookies, devices, the filter that checks them, and the sign-in throttle. */
@NullMarked
package dev.parley.organization.session;

import org.jspecify.annotations.NullMarked;
