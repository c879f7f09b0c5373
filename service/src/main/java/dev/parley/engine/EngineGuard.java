package dev.parley.engine;

import dev.parley.db.Database;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings.EngineKind;
import dev.parley.settings.SettingsException;
import java.util.Locale;

/** Refuses to start an engine on a database with unfinished instances of another one, which it would not run. */
final class EngineGuard {
    private EngineGuard() {}

    /** Records the engine of the database. */
    static void check(Database database, EngineKind kind) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        database.change(handle -> {
            handle.execute("INSERT INTO workflow_engine (name) VALUES (?) ON CONFLICT DO NOTHING", name);
            String known = handle.createQuery("SELECT name FROM workflow_engine FOR UPDATE")
                    .mapTo(String.class)
                    .one();
            if (known.equals(name)) {
                return;
            }
            boolean isUnfinished = handle.createQuery(
                            "SELECT EXISTS (SELECT 1 FROM workflow_instance WHERE status IN ('RUNNING', 'PAUSED'))")
                    .mapTo(Boolean.class)
                    .one();
            if (isUnfinished) {
                throw new SettingsException(
                        Setting.PARLEY_ENGINE,
                        "must be '" + known + "' until every workflow instance of that engine has ended.");
            }
            handle.execute("UPDATE workflow_engine SET name = ?", name);
        });
    }
}
