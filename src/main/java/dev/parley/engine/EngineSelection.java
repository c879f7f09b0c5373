package dev.parley.engine;

import dev.parley.engine.local.LocalEngine;
import dev.parley.settings.Settings;
import dev.parley.workflow.instance.run.Engine;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Provides the engine selected by the settings. */
@Singleton
public final class EngineSelection {
    @Produces
    @Singleton
    Engine engine(Settings.Engines settings, Instance<LocalEngine> local) {
        return switch (settings.kind()) {
            case LOCAL -> local.get();
        };
    }
}
