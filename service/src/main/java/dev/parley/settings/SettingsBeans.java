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
    final ServiceSize size = settings.size();

    @Produces
    @Singleton
    final Settings.Listener listener = settings.listener();

    @Produces
    @Singleton
    final Settings.PublicUrl publicUrl = settings.publicUrl();

    @Produces
    @Singleton
    final Settings.Storage storage = settings.storage();

    @Produces
    @Singleton
    final Settings.DatabaseConnection database = settings.database();

    @Produces
    @Singleton
    final Settings.FirstStart firstStart = settings.firstStart();

    @Produces
    @Singleton
    final Optional<Settings.Oidc> oidc = settings.oidc();

    @Produces
    @Singleton
    final Settings.Models models = settings.models();

    @Produces
    @Singleton
    final Settings.Egress egress = settings.egress();

    @Produces
    @Singleton
    final Settings.Mail mail = settings.mail();

    @Produces
    @Singleton
    final Settings.Files files = settings.files();

    @Produces
    @Singleton
    final Settings.Quotas quotas = settings.quotas();

    @Produces
    @Singleton
    final Settings.Engines engines = settings.engines();

    @Produces
    @Singleton
    final Settings.TaskLimits tasks = settings.tasks();

    @Produces
    @Singleton
    final Settings.Coder coder = settings.coder();

    @Produces
    @Singleton
    final Settings.McpPrograms mcp = settings.mcp();

    @Produces
    @Singleton
    final Settings.Logging logging = settings.logging();

    @Produces
    @Singleton
    final Settings.Monitoring monitoring = settings.monitoring();
}
