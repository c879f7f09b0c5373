package dev.parley.organization.session;

import dev.parley.http.access.DashboardUser;

/** A new session; its token is only used in the cookie. */
public record SignedIn(DashboardUser user, String token) {
    @Override
    public String toString() {
        return "SignedIn[" + user.id() + "]";
    }
}
