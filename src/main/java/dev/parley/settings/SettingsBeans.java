package dev.parley.settings;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Provides each feature with its own settings. */
@Singleton
final class SettingsBeans {
    private final Settings settings = Settings.load();

    @Produces
    @Singleton
    ServiceSize size() {
        return settings.size();
    }

    @Produces
    @Singleton
    Settings.Listener listener() {
        return settings.listener();
    }

    @Produces
    @Singleton
    Settings.PublicUrl publicUrl() {
        return settings.publicUrl();
    }

    @Produces
    @Singleton
    Settings.Storage storage() {
        return settings.storage();
    }

    @Produces
    @Singleton
    Settings.DatabaseConnection database() {
        return settings.database();
    }

    @Produces
    @Singleton
    Settings.FirstStart firstStart() {
        return settings.firstStart();
    }

    @Produces
    @Singleton
    Optional<Settings.Oidc> oidc() {
        return settings.oidc();
    }

    @Produces
    @Singleton
    Settings.Models models() {
        return settings.models();
    }

    @Produces
    @Singleton
    Settings.Egress egress() {
        return settings.egress();
    }

    @Produces
    @Singleton
    Settings.Mail mail() {
        return settings.mail();
    }

    @Produces
    @Singleton
    Settings.Files files() {
        return settings.files();
    }

    @Produces
    @Singleton
    Settings.Quotas quotas() {
        return settings.quotas();
    }

    @Produces
    @Singleton
    Settings.Engines engines() {
        return settings.engines();
    }

    @Produces
    @Singleton
    Settings.TaskLimits tasks() {
        return settings.tasks();
    }

    @Produces
    @Singleton
    Settings.Coder coder() {
        return settings.coder();
    }

    @Produces
    @Singleton
    Settings.McpPrograms mcp() {
        return settings.mcp();
    }

    @Produces
    @Singleton
    Settings.Logging logging() {
        return settings.logging();
    }
}
