package dev.parley.engine;

import dev.parley.engine.local.LocalEngine;
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
    private final Instance<LocalEngine> local;

    EngineSelection(Settings.Engines settings, Instance<LocalEngine> local) {
        this.settings = settings;
        this.local = local;
    }

    @Produces
    @Singleton
    Engine engine() {
        return switch (settings.kind()) {
            case LOCAL -> local.get();
        };
    }

    void start(@Observes @Priority(5) StartupEvent event) {
        switch (settings.kind()) {
            case LOCAL -> local.get().startWork();
        }
    }

    void stop(@Observes @Priority(90) ShutdownEvent event) {
        switch (settings.kind()) {
            case LOCAL -> local.get().stopWork();
        }
    }
}
