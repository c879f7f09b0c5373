package dev.parley.organization.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestSize;
import dev.parley.db.Database;
import dev.parley.db.TestPostgres;
import dev.parley.organization.user.PasswordHasher;
import dev.parley.organization.user.UserStore;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import dev.parley.settings.SettingsException;
import io.quarkus.runtime.StartupEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FirstUserTest {
    private final Database database = TestPostgres.migrated();
    private final PasswordHasher passwords = new PasswordHasher(TestSize.SMALLEST);
    private final UserStore users = database.statements(UserStore.class);
    private final FirstUserSetup setup = TestFirstRun.of(database, passwords, Settings.of(Map.of()));

    @AfterEach
    void close() {
        passwords.close();
        database.close();
    }

    @Test
    void theFirstUserIsAnOperatorAndIsMadeOnce() {
        start("Admin@Example.com", "a first password");
        start("other@example.com", "a second password");
        UserStore.UserAccount account = find("admin@example.com").orElseThrow();
        assertThat(account.user().operator()).isTrue();
        assertThat(account.user().emailProven()).isTrue();
        assertThat(account.passwordHash()).startsWith("$argon2id$v=19$m=7168,t=5,p=1$");
        assertThat(passwords.matches("a first password", account.passwordHash()))
                .isTrue();
        assertThat(passwords.matches("a second password", account.passwordHash()))
                .isFalse();
        assertThat(passwords.matches("the password of nobody at all", null)).isFalse();
        assertThat(find("other@example.com")).isEmpty();
    }

    @Test
    void aFirstUserThatCannotBeIsRefused() {
        assertThatThrownBy(() -> start("not an address", "a first password"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("PARLEY_ADMIN_EMAIL");
        for (String password : List.of("", "7 chars", "x".repeat(129))) {
            assertThatThrownBy(() -> start("a@example.com", password))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("PARLEY_ADMIN_PASSWORD")
                    .hasMessageContaining("8 to 128");
        }
        assertThat(users.areNone()).isTrue();
        start("a@example.com", "8 chars!");
        assertThat(users.areNone()).isFalse();
    }

    @Test
    void withoutTheSettingNoUserIsCreated() {
        setup.start(new StartupEvent(), Settings.of(Map.of()).firstStart());
        assertThat(users.areNone()).isTrue();
    }

    private Optional<UserStore.UserAccount> find(String email) {
        return users.withPassword(email, Optional.empty()).stream().findFirst();
    }

    private void start(String email, String password) {
        setup.start(
                new StartupEvent(),
                Settings.of(Map.of(Setting.PARLEY_ADMIN_EMAIL, email, Setting.PARLEY_ADMIN_PASSWORD, password))
                        .firstStart());
    }
}
