package dev.parley.model;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.db.AeadCipher;
import dev.parley.db.Database;
import dev.parley.db.MasterKey;
import dev.parley.egress.EgressException;
import dev.parley.egress.EgressRequest.Header;
import dev.parley.egress.EgressUrl;
import dev.parley.id.OrganizationId;
import dev.parley.llm.ChatModel;
import dev.parley.llm.ChatModelException;
import dev.parley.llm.MeteredChatModel;
import dev.parley.llm.openai.ChatModels;
import dev.parley.llm.openai.EndpointChatModel;
import dev.parley.llm.protocol.ModelEndpoint;
import dev.parley.llm.protocol.ModelEndpoint.EndpointKind;
import dev.parley.model.ModelProviderStore.StoredProvider;
import dev.parley.model.ModelStore.ModelAccess;
import dev.parley.settings.Settings;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the model of an alias, with a client for it. Changes apply at once on the node that makes them, and on others
 * within {@link #MEMORY}.
 */
@Singleton
public final class ModelResolver {
    static final Duration MEMORY = Duration.ofSeconds(2);

    private static final int MAX_ALIASES = 10_000;
    private static final int MAX_CLIENTS = 1_000;

    /** The label of all organizations' models in metrics, because their names have no bound. */
    private static final String METRICS_LABEL = "organization";

    private record AliasKey(OrganizationId organization, String alias) {}

    /** A client is replaced when one of these changes. */
    private record ClientKey(
            OrganizationId organization, int provider, int providerRevision, int model, int modelRevision) {}

    /** @param failure why there is no model */
    private record Resolution(@Nullable ResolvedModel model, String failure) {}

    private final ModelStore store;
    private final AeadCipher cipher;
    private final ChatModels models;
    private final Duration timeout;
    private final ResolvedModel installation;
    private final Cache<AliasKey, Resolution> resolved = Caffeine.newBuilder()
            .maximumSize(MAX_ALIASES)
            .expireAfterWrite(MEMORY)
            .build();

    /** Each remembers the deviations of its endpoint. They share their connections, so that none needs closing. */
    private final Cache<ClientKey, ChatModel> clients = Caffeine.newBuilder()
            .maximumSize(MAX_CLIENTS)
            .expireAfterAccess(Duration.ofHours(1))
            .build();

    public ModelResolver(
            Database database,
            MasterKey masterKey,
            ChatModels models,
            ChatModel installation,
            Settings.Models settings) {
        this.store = database.statements(ModelStore.class);
        this.cipher = cipher(masterKey);
        this.models = models;
        this.timeout = settings.timeout();
        this.installation = ResolvedModel.ofInstallation(installation, settings.prices());
    }

    /** The aliases of an organization's models, that of the installation's model first. */
    public List<String> aliases(OrganizationId organization) {
        return Stream.concat(Stream.of(OrganizationModel.DEFAULT), store.aliases(organization).stream())
                .toList();
    }

    /** For the secrets of providers. */
    public static AeadCipher cipher(MasterKey masterKey) {
        return masterKey.cipher("model credentials 1");
    }

    /** @throws ChatModelException permanently, if there is no such model or the operator does not allow it */
    ResolvedModel resolve(OrganizationId organization, String alias) throws ChatModelException {
        Resolution found = resolved.get(new AliasKey(organization, alias), _ -> find(organization, alias));
        if (found.model == null) {
            throw ChatModelException.permanentFault(found.failure, null);
        }
        return found.model;
    }

    private ChatModel client(OrganizationId organization, ModelAccess access) {
        var key = new ClientKey(
                organization, access.providerId(), access.providerRevision(), access.id(), access.revision());
        return clients.get(key, _ -> new MeteredChatModel(connect(organization, access), access.kind(), METRICS_LABEL));
    }

    /** Called after a change of the organization's models. */
    public void forget(OrganizationId organization) {
        resolved.asMap().keySet().removeIf(key -> key.organization.equals(organization));
    }

    /** The secrets of a provider. */
    public ModelSecrets secrets(OrganizationId organization, StoredProvider stored) {
        return secrets(organization, stored.provider().baseUrl(), stored.secrets());
    }

    /** The installation's model, as the organization sees it. */
    public OrganizationModel installationModel(OrganizationId organization) {
        return new OrganizationModel(
                OrganizationModel.INSTALLATION_ID,
                null,
                OrganizationModel.DEFAULT,
                installation.chat().name(),
                null,
                null,
                installation.prices().input(),
                null,
                installation.prices().output(),
                ModelCapabilities.UNKNOWN,
                !store.hasDefault(organization),
                store.allowsInstallationModel(organization),
                "system",
                null,
                "system",
                null,
                1);
    }

    private Resolution find(OrganizationId organization, String alias) {
        boolean isDefault = alias.equals(OrganizationModel.DEFAULT);
        Optional<ModelAccess> own = isDefault ? store.accessDefault(organization) : store.access(organization, alias);
        if (own.isEmpty() && !isDefault) {
            return new Resolution(null, "The organization has no model '" + alias + "'.");
        }
        boolean isAllowed = own.map(ModelAccess::allowed).orElseGet(() -> store.allowsInstallationModel(organization));
        if (!isAllowed) {
            String name = own.map(ModelAccess::alias).orElse(alias);
            return new Resolution(null, "The operator does not allow this organization the model '" + name + "'.");
        }
        return new Resolution(own.map(access -> model(organization, access)).orElse(installation), "");
    }

    private ResolvedModel model(OrganizationId organization, ModelAccess access) {
        return new ResolvedModel(
                access.alias(),
                client(organization, access),
                new ModelPrices(access.inputPrice(), access.cachedInputPrice(), access.outputPrice()),
                access.maxOutputTokens());
    }

    /** A new client of a model, which knows nothing of its endpoint yet. */
    public EndpointChatModel connect(OrganizationId organization, ModelAccess access) {
        ModelSecrets secrets = secrets(organization, access.baseUrl(), access.secrets());
        EndpointKind kind = EndpointKind.valueOf(access.kind().toUpperCase(Locale.ROOT));
        String version = Objects.requireNonNullElse(access.apiVersion(), "");
        // Azure expects the version in the query.
        boolean isInQuery = kind == EndpointKind.OPENAI
                && !version.isEmpty()
                && !access.baseUrl().contains("api-version=");
        String baseUrl = access.baseUrl()
                + (isInQuery ? (access.baseUrl().contains("?") ? "&" : "?") + "api-version=" + version : "");
        return models.of(new ModelEndpoint(
                kind,
                baseUrl,
                Objects.requireNonNullElse(secrets.credential(), ""),
                access.name(),
                secrets.headers().entrySet().stream()
                        .map(header -> new Header(header.getKey(), header.getValue()))
                        .toList(),
                version,
                timeout));
    }

    private ModelSecrets secrets(OrganizationId organization, String baseUrl, byte @Nullable [] encrypted) {
        try {
            return ModelSecrets.decrypt(encrypted, cipher, organization, EgressUrl.parse(baseUrl));
        } catch (EgressException invalid) {
            throw new IllegalStateException(invalid); // It was checked before it was stored.
        }
    }
}
