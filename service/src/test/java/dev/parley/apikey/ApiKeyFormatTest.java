package dev.parley.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ApiKeyFormatTest {
    @Test
    void everyKeyIsNewAndWellFormed() {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            String key = ApiKeyFormat.generate();
            assertThat(key).matches("sk-[0-9A-Za-z]{43}");
            assertThat(ApiKeyFormat.isWellFormed(key)).isTrue();
            assertThat(keys.add(key)).isTrue();
        }
    }

    @Property(tries = 500)
    void aMistypedCharacterIsNoticed(
            @ForAll @IntRange(max = ApiKeyFormat.LENGTH - 1) int position,
            @ForAll @CharRange(from = ' ', to = '~') char c) {
        String key = ApiKeyFormat.generate();
        var mistyped = new StringBuilder(key);
        mistyped.setCharAt(position, c);
        assertThat(ApiKeyFormat.isWellFormed(mistyped.toString()))
                .isEqualTo(mistyped.toString().equals(key));
    }

    @Property(tries = 500)
    void anyOtherTextIsRefused(@ForAll String text) {
        assertThat(ApiKeyFormat.isWellFormed(text)).isFalse();
        assertThat(ApiKeyFormat.isWellFormed("sk-" + text)).isFalse();
    }

    @Test
    void twoCharactersThatChangedPlacesAreNoticed() {
        String key = ApiKeyFormat.generate();
        for (int i = 3; i < ApiKeyFormat.LENGTH - 1; i++) {
            if (key.charAt(i) != key.charAt(i + 1)) {
                String swapped = key.substring(0, i) + key.charAt(i + 1) + key.charAt(i) + key.substring(i + 2);
                assertThat(ApiKeyFormat.isWellFormed(swapped)).isFalse();
            }
        }
    }
}
