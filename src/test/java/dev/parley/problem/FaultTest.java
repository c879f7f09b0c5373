package dev.parley.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.ProblemResponse;
import dev.parley.http.StrictJson;
import org.junit.jupiter.api.Test;

class FaultTest {
    @Test
    void anAnswerNamesTheKindAsError() {
        Problem problem = Problem.invalid(new Fault(Fault.INVALID_TYPE, "/tasks/0", "A sentence."));

        assertThat(StrictJson.write(ProblemResponse.body(problem))).isEqualTo("""
                {"error":"Validation failed","detail":"A sentence.",\
                "errors":[{"error":"Invalid Type","path":"/tasks/0","detail":"A sentence."}]}""");
    }
}
