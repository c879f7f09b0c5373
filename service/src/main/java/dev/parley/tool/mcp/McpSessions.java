package dev.parley.tool.mcp;

import dev.parley.egress.EgressClient;
import dev.parley.id.OrganizationId;
import dev.parley.node.Ticker;
import dev.parley.settings.Settings;
import dev.parley.tool.source.Deadline;
import dev.parley.tool.source.ProviderAccess;
import dev.parley.tool.source.ToolFailure;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pools sessions with MCP servers, a few per provider, for a minute, because opening one takes two requests. A session
 * serves one call at a time, so that cancelling a call does not affect others.
 */
@Singleton
final class McpSessions {
    private static final int MAX_IDLE_PER_PROVIDER = 4;
    private static final int MAX_IDLE = 100;
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);

    private final EgressClient egress;
    private final Clock clock;
    private final Map<String, List<String>> commands;
    private final Map<SessionKey, Deque<IdleSession>> idle = new HashMap<>();
    private final Ticker cleaner = new Ticker("mcp-sweeper");
    private int idleCount;

    private record SessionKey(OrganizationId organization, int provider, int revision) {}

    private record IdleSession(McpSession session, long since) {}

    McpSessions(EgressClient egress, Clock clock, Settings.McpPrograms programs) {
        this.egress = egress;
        this.clock = clock;
        this.commands = programs.commands();
        cleaner.every(Duration.ofSeconds(15), () -> closeIdle(IDLE_TIMEOUT));
    }

    @PreDestroy
    void close() {
        cleaner.close();
        closeIdle(Duration.ZERO);
    }

    /** A pooled session; null if there is none. */
    synchronized @Nullable McpSession acquire(ProviderAccess provider) {
        Deque<IdleSession> sessions = idle.get(key(provider));
        if (sessions == null || sessions.isEmpty()) {
            return null;
        }
        idleCount--;
        return sessions.removeLast().session();
    }

    McpSession open(ProviderAccess provider, Deadline deadline) throws ToolFailure, InterruptedException {
        if (provider.url() != null) {
            return McpSession.open(new HttpExchange(egress, provider.url(), provider.credentials(), clock), deadline);
        }
        List<String> command = provider.command() == null ? null : commands.get(provider.command());
        if (command == null) {
            throw ToolFailure.permanent("Not available", "The operator no longer allows the MCP server's command.");
        }
        return McpSession.open(StdioExchange.start(command), deadline);
    }

    /** Returns a session to the pool after a successful call. */
    void release(ProviderAccess provider, McpSession session) {
        synchronized (this) {
            Deque<IdleSession> sessions = idle.computeIfAbsent(key(provider), _ -> new ArrayDeque<>());
            if (sessions.size() < MAX_IDLE_PER_PROVIDER && idleCount < MAX_IDLE) {
                sessions.addLast(new IdleSession(session, System.nanoTime()));
                idleCount++;
                return;
            }
        }
        session.close();
    }

    private void closeIdle(Duration age) {
        List<McpSession> old = new ArrayList<>();
        synchronized (this) {
            long before = System.nanoTime() - age.toNanos();
            idle.values().forEach(sessions -> {
                while (!sessions.isEmpty() && sessions.getFirst().since() - before <= 0) {
                    old.add(sessions.removeFirst().session());
                    idleCount--;
                }
            });
            idle.values().removeIf(Deque::isEmpty);
        }
        old.forEach(McpSession::close);
    }

    private static SessionKey key(ProviderAccess provider) {
        return new SessionKey(provider.organization(), provider.id(), provider.revision());
    }
}
