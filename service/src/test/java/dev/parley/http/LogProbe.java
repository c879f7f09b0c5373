package dev.parley.http;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.logging.Logger;

/** Test endpoints that log from the threads on which resources run. */
@Path("/developer/api/log-probe")
public final class LogProbe {
    static final Logger LOG = Logger.getLogger(LogProbe.class);

    @GET
    @Path("/virtual")
    @RunOnVirtualThread
    @Operation(hidden = true)
    public String virtual() {
        LOG.info("from a virtual thread");
        return "ok";
    }

    @GET
    @Path("/loop")
    @io.smallrye.common.annotation.NonBlocking
    @Operation(hidden = true)
    public String loop() {
        LOG.info("from the event loop");
        return "ok";
    }
}
