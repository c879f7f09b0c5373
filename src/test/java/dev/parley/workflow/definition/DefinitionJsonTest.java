package dev.parley.workflow.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinitionJsonTest {
    @Test
    void numbersStayExactInBothDirections() {
        String json = "[3,9007199254740993,123456789012345678901234567890,0.1,12.50]";

        assertThat(DefinitionJson.tree(json))
                .isEqualTo(List.of(
                        3,
                        9007199254740993L,
                        new BigInteger("123456789012345678901234567890"),
                        new BigDecimal("0.1"),
                        new BigDecimal("12.50")));
        assertThat(DefinitionJson.text(DefinitionJson.tree(json))).isEqualTo(json);
    }

    @Test
    void aDuplicateMemberIsRejected() {
        assertThatThrownBy(() -> DefinitionJson.tree("{\"a\":1,\"a\":2}")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void textAfterTheDocumentIsRefused() {
        assertThatThrownBy(() -> DefinitionJson.tree("{} {}")).isInstanceOf(IllegalArgumentException.class);
    }
}
