package dev.parley.tool.openapi;

import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRequest;
import dev.parley.egress.EgressResponse;
import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.OfferedOperation;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ProviderKind;
import dev.parley.tool.source.ToolCall;
import dev.parley.tool.source.ToolCredentials;
import dev.parley.tool.source.ToolDiscovery;
import dev.parley.tool.source.ToolFailure;
import dev.parley.tool.source.ToolHttpResponse;
import dev.parley.tool.source.ToolOutcome;
import dev.parley.tool.source.ToolSource;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Web APIs as tool providers, by their OpenAPI 3 descriptions. */
@Singleton
public final class OpenApiSource implements ToolSource {
    /** The tree of a large description takes a third of the heap of the smallest node, so one exists at a time. */
    private static final Semaphore READERS = new Semaphore(1, true);

    private final EgressClient egress;
    private final Clock clock;

    OpenApiSource(EgressClient egress, Clock clock) {
        this.egress = egress;
        this.clock = clock;
    }

    @Override
    public ProviderKind kind() {
        return ProviderKind.OPENAPI;
    }

    @Override
    public ToolDiscovery discover(ProviderAccess provider, Deadline deadline) throws ToolFailure, InterruptedException {
        ToolDiscovery found = read(provider, deadline, reader -> reader.read(provider.selection()));
        requireAllowed(found);
        return found;
    }

    @Override
    public List<OfferedOperation> operations(ProviderAccess provider, Deadline deadline)
            throws ToolFailure, InterruptedException {
        return read(provider, deadline, OperationReader::offered);
    }

    /** A use of a description. */
    private interface Reading<T> {
        T from(OperationReader reader) throws ToolFailure;
    }

    private <T> T read(ProviderAccess provider, Deadline deadline, Reading<T> reading)
            throws ToolFailure, InterruptedException {
        String text = provider.document() != null ? provider.document() : download(provider, deadline);
        if (!READERS.tryAcquire(deadline.left().toNanos(), TimeUnit.NANOSECONDS)) {
            throw ToolFailure.transientFailure("Busy", "Other OpenAPI descriptions are being read. Try again.", null);
        }
        try {
            return reading.from(
                    new OperationReader(OpenApiDescription.read(text), provider.url(), provider.serverUrl()));
        } finally {
            READERS.release();
        }
    }

    @Override
    public ToolOutcome call(ProviderAccess provider, String tool, String binding, ToolCall call)
            throws ToolFailure, InterruptedException {
        OpenApiOperation operation = StrictJson.readTrusted(binding, OpenApiOperation.class);
        EgressRequest request =
                OperationRequest.of(operation, call, provider.credentials()).withTraceContext();
        EgressResponse response = ToolHttpResponse.send(egress, request, provider.credentials(), clock);
        Optional<String> text = ToolHttpResponse.text(response);
        if (text.isEmpty()) {
            return new ToolOutcome(
                    "",
                    null,
                    List.of(new ToolOutcome.OutcomeFile(ToolHttpResponse.contentType(response), response.body())));
        }
        return new ToolOutcome(text.get(), ToolHttpResponse.json(text.get()), List.of());
    }

    @Override
    public Optional<EgressRequest> request(String binding, ToolCall call) throws ToolFailure {
        OpenApiOperation operation = StrictJson.readTrusted(binding, OpenApiOperation.class);
        return Optional.of(OperationRequest.of(operation, call, ToolCredentials.NONE));
    }

    /** A description that is fetched determines the web API's URL itself, so its complete URL counts. */
    @Override
    public Set<String> destinations(ProviderAccess provider) throws ToolFailure {
        Set<String> all = new HashSet<>();
        if (provider.url() != null) {
            all.add(ToolSource.origin(provider.url()));
        }
        if (provider.serverUrl() != null) {
            all.add(ToolSource.origin(provider.serverUrl()));
        } else if (provider.document() != null) {
            READERS.acquireUninterruptibly();
            try {
                servers(new OperationReader(OpenApiDescription.read(provider.document()), null, null)
                                .read(provider.selection()))
                        .forEach(server -> all.add(ToolSource.origin(server)));
            } finally {
                READERS.release();
            }
        } else {
            all.add("whatever " + provider.url() + " describes");
        }
        return all;
    }

    private String download(ProviderAccess provider, Deadline deadline) throws ToolFailure, InterruptedException {
        EgressRequest request = EgressRequest.get(provider.credentials().addressed(String.valueOf(provider.url())))
                .withDeadline(deadline.left())
                .withMaxResponseBytes(OpenApiDescription.MAX_LENGTH)
                .withHeaders(provider.credentials().asHeaders());
        return ToolHttpResponse.send(egress, request, provider.credentials(), clock)
                .text();
    }

    /** Checked at discovery, so that admins see the error before a workflow runs; every call is checked again. */
    private void requireAllowed(ToolDiscovery found) throws ToolFailure, InterruptedException {
        for (String server : servers(found).limit(10).toList()) {
            Optional<String> violation = egress.rules().checkResolving(server);
            if (violation.isPresent()) {
                throw ToolFailure.permanent("Address refused", violation.get());
            }
        }
    }

    private static Stream<String> servers(ToolDiscovery found) {
        return found.tools().stream()
                .map(tool -> StrictJson.readTrusted(tool.binding(), OpenApiOperation.class)
                        .server())
                .distinct();
    }
}
