package dev.parley;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.blob.BlobStore;
import dev.parley.blob.StoreIdentity;
import dev.parley.blob.local.FileStore;
import dev.parley.blob.s3.S3Store;
import dev.parley.db.Database;
import dev.parley.db.ForRequests;
import dev.parley.db.MasterKey;
import dev.parley.db.Migrations;
import dev.parley.disk.TempFiles;
import dev.parley.egress.EgressAllow;
import dev.parley.egress.EgressClient;
import dev.parley.egress.EgressRules;
import dev.parley.http.json.StrictJson;
import dev.parley.llm.ChatModel;
import dev.parley.llm.MeteredChatModel;
import dev.parley.llm.offline.OfflineChatModel;
import dev.parley.llm.openai.ChatModels;
import dev.parley.llm.protocol.ModelEndpoint;
import dev.parley.node.NodeLease;
import dev.parley.node.NodeVersion;
import dev.parley.settings.ServiceSize;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.List;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Produces beans that are not a single class: the clock, and the database with its schema. */
@ApplicationScoped
public class ServiceBeans {
    private static final Logger LOG = Logger.getLogger(ServiceBeans.class);

    private volatile int schema;

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** The mapper for response bodies, with the API's names, ids and times. */
    @Produces
    @Singleton
    ObjectMapper json() {
        return StrictJson.mapper();
    }

    @Produces
    @Singleton
    @Startup
    Database database(Settings.DatabaseConnection settings, Settings.Storage storage) {
        Settings.ExternalDatabase where = settings.external()
                .orElseThrow(() -> new SettingsException(
                        Setting.PARLEY_DB_URL, "is empty, and the embedded PostgreSQL was not started."));
        var database = new Database(where.jdbcUrl(), where.user(), where.password(), settings.poolSize());
        schema = Migrations.run(database, location(storage, where));
        return database;
    }

    /** @param migrated injected because the migrations say which schema this release has */
    @Produces
    @Singleton
    NodeVersion nodeVersion(
            @SuppressWarnings("unused") Database migrated,
            @ConfigProperty(name = "quarkus.application.version", defaultValue = "") String version) {
        LOG.infof("This node runs Parley %s with schema %d", version, schema);
        return new NodeVersion(version, schema);
    }

    private static String location(Settings.Storage storage, Settings.ExternalDatabase where) {
        return Boolean.getBoolean(NodeLease.ONLY_NODE)
                ? "the directory " + storage.directory().resolve("postgres").toAbsolutePath()
                : "the database " + where.jdbcUrl().replaceFirst("^jdbc:", "").replaceFirst("\\?.*", "");
    }

    @Produces
    @Singleton
    @ForRequests
    Database databaseForRequests(Database database, ServiceSize size) {
        return database.reserve("requests", size.requestConnections());
    }

    void closeForRequests(@Disposes @ForRequests Database database) {
        database.close();
    }

    @Produces
    @Singleton
    EgressRules egressRules(Settings.Egress settings) {
        return new EgressRules(EgressAllow.parse(settings.allow()));
    }

    @Produces
    @Singleton
    EgressClient egressClient(EgressRules rules) {
        return new EgressClient(rules);
    }

    /** The configured S3 bucket, or the directory of the files. Checked before any work starts, on standby without writing. */
    @Produces
    @Singleton
    @Startup(1)
    BlobStore blobStore(
            Settings.Files settings,
            Settings.Engines engines,
            MasterKey masterKey,
            Clock clock,
            Database database,
            TempFiles tempFiles) {
        BlobStore store = settings.bucket()
                .<BlobStore>map(bucket -> new S3Store(settings.s3(), bucket, clock))
                .orElseGet(() -> new FileStore(settings.directory(), masterKey.hasher("upload url")));
        var identity = new StoreIdentity(store, database, tempFiles);
        if (engines.standby()) {
            store.checkReading();
            identity.compare();
        } else {
            store.check();
            identity.recognize();
        }
        return store;
    }

    void close(@Disposes BlobStore store) {
        if (store instanceof S3Store s3) {
            s3.close();
        }
    }

    /** The configured model, or the offline model, which identifies itself in every reply. */
    @Produces
    @Singleton
    ChatModel chatModel(Settings.Models settings, ChatModels models) {
        return new MeteredChatModel(settings.external()
                .map(model -> models.ofOperator(new ModelEndpoint(
                        ModelEndpoint.EndpointKind.OPENAI,
                        model.baseUrl(),
                        model.apiKey(),
                        model.name(),
                        List.of(),
                        "",
                        settings.timeout())))
                .orElseGet(OfflineChatModel::new));
    }

    void close(@Disposes EgressClient client) {
        client.close();
    }

    void close(@Disposes Database database) {
        database.close();
    }
}
