package dev.parley.engine;

import dev.parley.db.Database;
import dev.parley.engine.local.LocalEngine;
import dev.parley.engine.restate.RestateEngine;
import dev.parley.settings.Settings;
import dev.parley.workflow.instance.run.Engine;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Provides, starts and stops the engine selected by the settings; the beans of others are not created. */
@Singleton
public final class EngineSelection {
    private final Settings.Engines settings;
    private final Database database;
    private final Instance<LocalEngine> local;
    private final Instance<RestateEngine> restate;

    EngineSelection(
            Settings.Engines settings,
            Database database,
            Instance<LocalEngine> local,
            Instance<RestateEngine> restate) {
        this.settings = settings;
        this.database = database;
        this.local = local;
        this.restate = restate;
    }

    @Produces
    @Singleton
    Engine engine() {
        return switch (settings.kind()) {
            case LOCAL -> local.get();
            case RESTATE -> restate.get();
        };
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        if (settings.standby()) {
            return;
        }
        EngineGuard.check(database, settings.kind());
        switch (settings.kind()) {
            case LOCAL -> local.get().startWork();
            case RESTATE -> restate.get().startWork();
        }
    }

    void stop(@Observes @Priority(90) ShutdownEvent event) {
        switch (settings.kind()) {
            case LOCAL -> local.get().stopWork();
            case RESTATE -> restate.get().stopWork();
        }
    }
}
