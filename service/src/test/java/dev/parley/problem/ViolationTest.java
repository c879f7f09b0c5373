package dev.parley.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.ProblemResponse;
import dev.parley.http.StrictJson;
import org.junit.jupiter.api.Test;

class ViolationTest {
    @Test
    void anAnswerNamesTheKindAsError() {
        ApiProblem problem = ApiProblem.invalid(new Violation(Violation.INVALID_TYPE, "/tasks/0", "A sentence."));

        assertThat(StrictJson.write(ProblemResponse.body(problem))).isEqualTo("""
                {"error":"Validation failed","detail":"A sentence.",\
                "errors":[{"error":"Invalid Type","path":"/tasks/0","detail":"A sentence."}]}""");
    }
}
