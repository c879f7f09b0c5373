package dev.parley.http.access;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Who may call a route. A method's annotation takes precedence over that of its class. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Access {
    Caller value();

    /** The callers of routes. */
    enum Caller {
        /** Anybody, also without a session or a key. */
        OPEN,
        /** An API key. */
        KEY,
        /** Anybody who is signed in; what else the route demands, the resource checks itself. */
        USER,
        /** A member of the organization in the path. */
        MEMBER,
        /** An admin or an owner of the organization in the path. */
        ADMIN,
        /** An owner of the organization in the path. */
        OWNER,
        /** An operator of the installation. */
        OPERATOR
    }
}
