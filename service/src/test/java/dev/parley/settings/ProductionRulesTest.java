package dev.parley.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProductionRulesTest {
    private static final Map<Setting, String> SAFE = Map.of(
            Setting.PARLEY_PUBLIC_URL, "https://parley.example",
            Setting.PARLEY_TRUSTED_PROXIES, "127.0.0.1",
            Setting.PARLEY_SECRET, "0123456789abcdef0123456789abcdef",
            Setting.PARLEY_ADMIN_EMAIL, "admin@parley.example",
            Setting.PARLEY_DB_URL, "embedded");

    private static List<String> violations(Map<Setting, String> changed, String... names) {
        Map<Setting, String> values = new EnumMap<>(SAFE);
        values.putAll(changed);
        return new ProductionRules(new SettingsReader(values)).violations(Set.of(names));
    }

    @Test
    void acceptsSafeSettings() {
        assertThat(violations(Map.of(), "PATH", "PARLEY_SECRET", "PARLEY_JAVA_FLAGS"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "PARLEY_SECRET,''",
        "PARLEY_ADMIN_EMAIL,''",
        "PARLEY_DB_URL,''",
        "PARLEY_PUBLIC_URL,''",
        "PARLEY_PUBLIC_URL,http://parley.example",
        "PARLEY_TRUSTED_PROXIES,''",
        "PARLEY_DEMO,true",
        "PARLEY_DB_URL,postgresql://u:p@db.example/parley",
        "PARLEY_DB_URL,postgresql://u:p@db.example/parley?ssl=true",
    })
    void refusesEachUnsafeSettingByName(Setting setting, String value) {
        assertThat(violations(Map.of(setting, value)))
                .singleElement()
                .asString()
                .startsWith(setting.name() + " ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://u:p@db.example/parley?sslmode=verify-full",
                "jdbc:postgresql://db.example/parley?sslmode=disable",
                "postgresql://u:p@127.0.0.1:5432/parley",
                "postgresql://u:p@[::1]/parley"
            })
    void acceptsDatabasesWithTlsOrWithoutItByChoice(String url) {
        assertThat(violations(Map.of(Setting.PARLEY_DB_URL, url))).isEmpty();
    }

    @Test
    void acceptsPlainHttpOnThisMachine() {
        assertThat(violations(
                        Map.of(Setting.PARLEY_PUBLIC_URL, "http://localhost:8080", Setting.PARLEY_TRUSTED_PROXIES, "")))
                .isEmpty();
    }

    @Test
    void refusesMisspeltSettings() {
        assertThat(violations(Map.of(), "PARLEY_SERCET", "PARLEY_PORT_8080_TCP"))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("PARLEY_PORT_8080_TCP ");
    }

    @Test
    void namesAllViolationsAtOnceWithoutValues() {
        var rules = new ProductionRules(new SettingsReader(Map.of(
                Setting.PARLEY_DB_URL, "postgresql://user:hidden@db.example/parley", Setting.PARLEY_DEMO, "true")));
        assertThatThrownBy(() -> rules.require(Set.of()))
                .isInstanceOf(SettingsException.class)
                .message()
                .hasLineCount(6)
                .doesNotContain("hidden");
    }
}
