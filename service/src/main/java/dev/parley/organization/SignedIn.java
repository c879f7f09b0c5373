package dev.parley.organization;

import dev.parley.http.DashboardUser;

/** A new session; its token is only used in the cookie. */
record SignedIn(DashboardUser user, String token) {
    @Override
    public String toString() {
        return "SignedIn[" + user.id() + "]";
    }
}
