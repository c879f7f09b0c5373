package dev.parley.workflow.task.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.workflow.definition.core.value.OutputParameter;
import dev.parley.workflow.definition.core.value.OutputType;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckedOutputsTest {
    private static final String RESULT = "~{\"n\":\"9007199254740992\"}\n{\"n\":9007199254740992}";

    private static CheckedOutputs of(OutputType type, String result) {
        return CheckedOutputs.of(List.of(new OutputParameter("n", type, "d")), result);
    }

    @Test
    void anIntegerThatMayHaveLostDigitsIsRefused() {
        assertThat(of(OutputType.INTEGER, RESULT).error())
                .isEqualTo("The output 'n' is 9007199254740992, and numbers beyond 2^53 may have lost digits. Return a"
                        + " BigInt or a text.");
        assertThat(of(OutputType.FLOAT, RESULT).error()).isNull();
        assertThat(of(OutputType.INTEGER, "{\"n\":\"9007199254740993\"}").values())
                .containsEntry("n", 9007199254740993L);
        assertThat(CheckedOutputs.of(null, RESULT).values()).containsKey("n");
    }

    @Test
    void aNameTwiceIsRefused() {
        assertThat(of(OutputType.INTEGER, "{\"n\":1,\"n\":2}").error()).contains("a name twice");
    }
}
