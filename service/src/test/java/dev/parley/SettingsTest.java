package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void defaultsAreGood() {
        Settings settings = Settings.of(Map.of());
        assertThat(settings.listener().port()).isEqualTo(8080);
        assertThat(settings.publicUrl().url()).isEqualTo("http://localhost:8080");
        assertThat(settings.quotas().messagesPerMinute()).isEqualTo(100);
        assertThat(settings.quotas().instanceTimeLimit()).isEqualTo(Duration.ofDays(7));
        assertThat(settings.database().external()).isEmpty();
        assertThat(settings.models().external()).isEmpty();
        assertThat(settings.publicUrl().isTls()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "PARLEY_PORT,80a",
        "PARLEY_PORT,70000",
        "PARLEY_PUBLIC_URL,example.com",
        "PARLEY_PUBLIC_URL,https://user:pw@example.com",
        "PARLEY_DB_URL,mysql://localhost/x",
        "PARLEY_DB_URL,postgresql:///x",
        "PARLEY_DB_URL,postgresql://ann:p@ss/1#x@db.example/parley",
        "PARLEY_DB_URL,postgresql://ann:p@ss/1@db.example/parley",
        "PARLEY_DB_POOL,1",
        "PARLEY_SECRET,short",
        "PARLEY_DEMO,yes",
        "PARLEY_LLM_BASE_URL,localhost:1234",
        "PARLEY_LLM_TIMEOUT,2 minutes",
        "PARLEY_LLM_INPUT_PRICE,-1",
        "PARLEY_LLM_OUTPUT_PRICE,free",
        "PARLEY_LLM_CURRENCY,dollars",
        "PARLEY_MESSAGES_PER_MINUTE,0",
        "PARLEY_INSTANCE_TIME_LIMIT,0s",
        "PARLEY_NODE_LEASE,1s",
        "PARLEY_LOG_FORMAT,xml",
        "PARLEY_LOG_LEVEL,LOUD",
        "PARLEY_LOG_REQUESTS,none",
        "PARLEY_METRICS_PORT,0",
        "PARLEY_METRICS_PORT,8080",
        "PARLEY_METRICS_HOST,127.0.0.1",
        "PARLEY_METRICS_TOKEN,short",
        "PARLEY_METRICS_TOKEN,with a space in it",
    })
    void anInvalidSettingIsRejectedByName(Setting setting, String value) {
        assertThatThrownBy(() -> Settings.of(Map.of(setting, value)))
                .isInstanceOf(SettingsException.class)
                .message()
                .startsWith(setting.name())
                .endsWith(".")
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://data/acme/",
                "*",
                "*=data/acme/",
                "*=s3://data",
                "*=s3://data/acme",
                "*=s3://Data/acme/",
                "*=s3://data/acme/../",
                "*=s3://data/./acme/",
                "*=s3://data//",
                "*=s3://data/a%2fb/",
                "acme=s3://data/acme/",
                "*=s3://data/acme/ s3://data/other/",
                "*=s3://files/",
                "*=s3://files/0192f0f0f0f07000800000000000000a/",
            })
    void dataLakePrefixesAreValidatedAtStartup(String value) {
        assertThatThrownBy(() ->
                        Settings.of(Map.of(Setting.PARLEY_DATA_LAKE_S3, value, Setting.PARLEY_S3_BUCKET, "files")))
                .isInstanceOf(SettingsException.class)
                .message()
                .startsWith("PARLEY_DATA_LAKE_S3 ")
                .endsWith(".")
                .doesNotContain("\n");
    }

    @Test
    void thePortOfMetricsHasTheServicesAddressUnlessItHasItsOwn() {
        Settings.Monitoring monitoring = Settings.of(Map.of(
                        Setting.PARLEY_HOST, "10.0.0.1",
                        Setting.PARLEY_METRICS_PORT, "9090",
                        Setting.PARLEY_METRICS_TOKEN, "0123456789abcdef"))
                .monitoring();
        assertThat(monitoring.host()).isEqualTo("10.0.0.1");
        assertThat(monitoring.port()).hasValue(9090);
        assertThat(monitoring.toString()).doesNotContain("abcdef");
        assertThat(Settings.of(Map.of(Setting.PARLEY_METRICS_PORT, "9090", Setting.PARLEY_METRICS_HOST, "::1"))
                        .monitoring()
                        .host())
                .isEqualTo("::1");
    }

    @Test
    void dataLakesNeedNoBucketForFiles() {
        Settings.Files files = Settings.of(Map.of(
                        Setting.PARLEY_DATA_LAKE_S3,
                        "0192f0f0f0f07000800000000000000a=s3://data/acme/2029/,*=s3://open/",
                        Setting.PARLEY_S3_ENDPOINT,
                        "https://minio.example:9000"))
                .files();
        assertThat(files.bucket()).isEmpty();
        assertThat(files.lakePrefixes())
                .containsExactly(
                        new Settings.LakePrefix(Optional.of("0192f0f0f0f07000800000000000000a"), "data", "acme/2029/"),
                        new Settings.LakePrefix(Optional.empty(), "open", ""));
        assertThatThrownBy(() -> Settings.of(Map.of(Setting.PARLEY_S3_ENDPOINT, "https://minio.example:9000")))
                .hasMessageStartingWith("PARLEY_S3_BUCKET");
    }

    @Test
    void aModelNeedsItsName() {
        assertThatThrownBy(() -> Settings.of(Map.of(Setting.PARLEY_LLM_BASE_URL, "https://llm.example/v1")))
                .hasMessageStartingWith("PARLEY_LLM_MODEL");
    }

    @ParameterizedTest
    @CsvSource({
        "PARLEY_OIDC_ISSUER,login.example",
        "PARLEY_OIDC_ISSUER,http://login.example",
        "PARLEY_OIDC_ISSUER,https://login.example/?tenant=a",
        "PARLEY_OIDC_ISSUER,https://login.example/.well-known/openid-configuration",
        "PARLEY_OIDC_ISSUER,https://login.microsoftonline.com/common/v2.0",
        "PARLEY_OIDC_ISSUER,https://login.microsoftonline.com/Organizations/v2.0",
        "PARLEY_OIDC_ISSUER,https://login.microsoftonline.com/consumers",
        "PARLEY_OIDC_ISSUER,https://login.microsoftonline.com//common/",
        "PARLEY_OIDC_ISSUER,https://Login.MicrosoftOnline.com/%63ommon/v2.0",
        "PARLEY_OIDC_ISSUER,https://login.microsoftonline.us./common/v2.0",
        "PARLEY_OIDC_ISSUER,https://login.microsoftonline.com",
        "PARLEY_OIDC_ISSUER,https://sts.windows.net/common/",
        "PARLEY_OIDC_ISSUER,https://login.microsoftonline.com/{tenantid}/v2.0",
        "PARLEY_OIDC_ISSUER,https://login.example/%7Btenantid%7D/v2.0",
        "PARLEY_OIDC_TRUSTED_DOMAINS,*",
        "PARLEY_OIDC_TRUSTED_DOMAINS,ada@acme.example",
        "PARLEY_OIDC_CLIENT_ID,''",
        "PARLEY_OIDC_CLIENT_SECRET,''",
        "PARLEY_OIDC_DOMAINS,*",
        "PARLEY_OIDC_DOMAINS,a b",
        "PARLEY_OIDC_ORGANIZATION,''",
        "PARLEY_OIDC_ORGANIZATION,acme",
    })
    void anInvalidProviderSettingIsRejectedByName(Setting setting, String value) {
        Map<Setting, String> values = new EnumMap<>(Map.of(
                Setting.PARLEY_OIDC_ISSUER, "https://login.example/",
                Setting.PARLEY_OIDC_CLIENT_ID, "parley",
                Setting.PARLEY_OIDC_CLIENT_SECRET, "hidden",
                Setting.PARLEY_OIDC_DOMAINS, "acme.example",
                Setting.PARLEY_OIDC_ORGANIZATION, "0192f0c1a2b37c4d8e5f60718293a4b5"));
        assertThat(Settings.of(values).oidc().orElseThrow().toString()).doesNotContain("hidden");
        values.put(setting, value);
        assertThatThrownBy(() -> Settings.of(values))
                .isInstanceOf(SettingsException.class)
                .message()
                .startsWith(setting.name())
                .endsWith(".")
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
                "https://gitlab.com",
                "https://test.salesforce.com",
                "https://login.salesforce.com/"
            })
    void noAddressOfAPublicProviderIsTrusted(String issuer) {
        Map<Setting, String> values = new EnumMap<>(Map.of(
                Setting.PARLEY_OIDC_ISSUER, issuer,
                Setting.PARLEY_OIDC_CLIENT_ID, "parley",
                Setting.PARLEY_OIDC_CLIENT_SECRET, "hidden"));
        assertThat(Settings.of(values).oidc()).isPresent();
        values.put(Setting.PARLEY_OIDC_TRUSTED_DOMAINS, "acme.example");
        assertThatThrownBy(() -> Settings.of(values)).hasMessageStartingWith("PARLEY_OIDC_TRUSTED_DOMAINS");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0",
                "https://keycloak.example/realms/common",
                "https://accounts.google.com"
            })
    void theIssuerOfOneTenantIsAccepted(String issuer) {
        assertThat(Settings.of(Map.of(
                                Setting.PARLEY_OIDC_ISSUER, issuer,
                                Setting.PARLEY_OIDC_CLIENT_ID, "parley",
                                Setting.PARLEY_OIDC_CLIENT_SECRET, "hidden",
                                Setting.PARLEY_OIDC_TRUSTED_DOMAINS, "Acme.example, acme.org"))
                        .oidc()
                        .orElseThrow()
                        .trustedDomains())
                .containsExactly("acme.example", "acme.org");
    }

    @Test
    void theUrlOfAPostgresMayHoldItsUser() {
        var database = Settings.of(Map.of(
                        Setting.PARLEY_DB_URL, "postgres://ann:se%20cret@db.example:5433/parley?sslmode=require"))
                .database()
                .external()
                .orElseThrow();
        assertThat(database.jdbcUrl()).isEqualTo("jdbc:postgresql://db.example:5433/parley?sslmode=require");
        assertThat(database.user()).isEqualTo("ann");
        assertThat(database.password()).isEqualTo("se cret");
        assertThat(database.toString()).doesNotContain("cret");
    }

    @Test
    void aTaskCostsItsTokens() {
        Settings settings =
                Settings.of(Map.of(Setting.PARLEY_LLM_INPUT_PRICE, "0.15", Setting.PARLEY_LLM_OUTPUT_PRICE, "0.60"));
        assertThat(settings.models().prices().costMicros(1_000_000, 500_000)).isEqualTo(450_000);
    }

    @Test
    void restateNeedsItsAddressesAndAKeyUnlessTheEndpointIsLocal() {
        Map<Setting, String> set = new EnumMap<>(Setting.class);
        set.put(Setting.PARLEY_ENGINE, "restate");
        assertThatThrownBy(() -> Settings.of(set)).hasMessageStartingWith("PARLEY_RESTATE_INGRESS_URL is required");
        set.put(Setting.PARLEY_RESTATE_INGRESS_URL, "http://restate:8080");
        set.put(Setting.PARLEY_RESTATE_ADMIN_URL, "http://restate:9070");
        Settings.Restate local = Settings.of(set).engines().restate().orElseThrow();
        assertThat(local.endpoint()).hasToString("http://127.0.0.1:9080");
        set.put(Setting.PARLEY_RESTATE_ENDPOINT_HOST, "0.0.0.0");
        assertThatThrownBy(() -> Settings.of(set)).hasMessageStartingWith("PARLEY_RESTATE_IDENTITY_KEY is required");
        set.put(Setting.PARLEY_RESTATE_IDENTITY_KEY, "secret");
        assertThatThrownBy(() -> Settings.of(set)).hasMessageStartingWith("PARLEY_RESTATE_IDENTITY_KEY must be");
        set.put(Setting.PARLEY_RESTATE_IDENTITY_KEY, "publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f");
        assertThat(Settings.of(set).engines().restate().orElseThrow().identityKey())
                .isPresent();
    }
}
