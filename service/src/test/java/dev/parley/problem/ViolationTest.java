package dev.parley.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.filter.ProblemResponse;
import dev.parley.http.json.StrictJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ViolationTest {
    @Test
    void anAnswerNamesTheKindAsError() {
        ApiProblem problem = ApiProblem.invalid(List.of(
                new Violation(Violation.INVALID_TYPE, ViolationCode.NOT_ALLOWED, "/tasks/0", "A sentence."),
                Violation.invalid(ViolationCode.TOO_LONG, "/tasks/1", "Another.")
                        .with(Map.of("min", 1, "max", 200))));

        assertThat(StrictJson.write(ProblemResponse.body(problem))).isEqualTo("""
                {"error":"Validation failed","detail":"A sentence.","code":"validation_failed",\
                "errors":[{"error":"Invalid Type","path":"/tasks/0","detail":"A sentence.","code":"not_allowed"},\
                {"error":"Invalid Value","path":"/tasks/1","detail":"Another.","code":"too_long",\
                "params":{"max":200,"min":1}}]}""");
    }
}
