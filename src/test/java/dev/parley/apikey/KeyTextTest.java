package dev.parley.apikey;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class KeyTextTest {
    @Test
    void everyKeyIsNewAndWellFormed() {
        Set<String> keys = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            String key = KeyText.generate();
            assertThat(key).matches("sk-[0-9A-Za-z]{43}");
            assertThat(KeyText.isWellFormed(key)).isTrue();
            assertThat(keys.add(key)).isTrue();
        }
    }

    @Property(tries = 500)
    void aMistypedCharacterIsNoticed(
            @ForAll @IntRange(max = KeyText.LENGTH - 1) int position, @ForAll @CharRange(from = ' ', to = '~') char c) {
        String key = KeyText.generate();
        var mistyped = new StringBuilder(key);
        mistyped.setCharAt(position, c);
        assertThat(KeyText.isWellFormed(mistyped.toString()))
                .isEqualTo(mistyped.toString().equals(key));
    }

    @Property(tries = 500)
    void anyOtherTextIsRefused(@ForAll String text) {
        assertThat(KeyText.isWellFormed(text)).isFalse();
        assertThat(KeyText.isWellFormed("sk-" + text)).isFalse();
    }

    @Test
    void twoCharactersThatChangedPlacesAreNoticed() {
        String key = KeyText.generate();
        for (int i = 3; i < KeyText.LENGTH - 1; i++) {
            if (key.charAt(i) != key.charAt(i + 1)) {
                String swapped = key.substring(0, i) + key.charAt(i + 1) + key.charAt(i) + key.substring(i + 2);
                assertThat(KeyText.isWellFormed(swapped)).isFalse();
            }
        }
    }
}
