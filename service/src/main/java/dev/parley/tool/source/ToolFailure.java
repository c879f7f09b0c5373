package dev.parley.tool.source;

import dev.parley.egress.EgressException;
import dev.parley.problem.UpstreamFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failed tool call or discovery. Of a server's message it contains only a short, printable part. */
public final class ToolFailure extends UpstreamFailure {
    private static final long serialVersionUID = 1;

    private ToolFailure(
            String title,
            String detail,
            boolean transientFailure,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(title, detail, transientFailure, retryAfter, cause);
    }

    /** A failure that the same call would have again. */
    public static ToolFailure permanent(String title, String detail) {
        return new ToolFailure(title, detail, false, null, null);
    }

    /** A failure that may be temporary. */
    public static ToolFailure transientFailure(String title, String detail, @Nullable Duration retryAfter) {
        return new ToolFailure(title, detail, true, retryAfter, null);
    }

    public static ToolFailure of(EgressException failed) {
        String title =
                switch (failed.kind()) {
                    case INVALID_REQUEST -> "Invalid request";
                    case REFUSED_ADDRESS -> "Address refused";
                    case UNRESOLVED, CONNECTION, TLS -> "Not reachable";
                    case TIMEOUT -> "Time limit";
                    case TOO_LARGE -> "Answer too large";
                    case ENCODING -> "Invalid answer";
                };
        return new ToolFailure(title, failed.detail(), failed.isTransient(), null, failed);
    }
}
