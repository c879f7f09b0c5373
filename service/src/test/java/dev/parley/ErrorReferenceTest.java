package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.filter.ProblemResponse;
import dev.parley.message.NoticeCode;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.problem.ViolationCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps docs/reference/errors.md the codes of the service. */
class ErrorReferenceTest {
    private static final Path PAGE = Path.of("../docs/reference/errors.md");

    @Test
    void thePageListsEveryCode() throws Exception {
        String page = page();
        if (Boolean.getBoolean("parley.write-docs")) {
            Files.writeString(PAGE, page);
        }

        assertThat(Files.readString(PAGE))
                .as("docs/reference/errors.md; -Dparley.write-docs=true writes it")
                .isEqualTo(page);
    }

    @Test
    void theCodesOfErrorsAreSnakeCaseAndDifferent() {
        assertThat(Arrays.stream(ProblemKind.values()).map(ProblemKind::code))
                .doesNotHaveDuplicates()
                .allMatch(code -> code.matches("[a-z]+(_[a-z]+)*"));
    }

    @Test
    void everyErrorHasACodeExceptTheFixedBodies() {
        for (ProblemKind kind : ProblemKind.values()) {
            assertThat(ProblemResponse.body(ApiProblem.of(kind, "Because.")))
                    .as(kind.name())
                    .containsEntry("error", kind.title())
                    .matches(body -> kind.hasFixedBody() != kind.code().equals(body.get("code")));
        }
        assertThat(ProblemResponse.body(ApiProblem.of(ProblemKind.WORKFLOW_NOT_AUTHORIZED, "")))
                .containsOnlyKeys("error");
        assertThat(ProblemResponse.body(ApiProblem.of(ProblemKind.AUTHENTICATION_FAILED, "")))
                .containsOnlyKeys("error", "detail");
    }

    private static String page() {
        return """
                # Errors

                Programs decide by `code`, never by `error` or `detail`: the sentences may change. Codes and parameters are only added. `-Dparley.write-docs=true` writes this page from the code.

                ## Codes of errors

                `code` of an error body, and of a result of a bulk action. The bodies of `authentication_failed` and `workflow_not_authorized` are [fixed](api.md#errors) and have no code; the status and `error` identify them.

                | Code | Status | `error` | Cause | Remedy |
                |---|---|---|---|---|
                %s
                ## Codes of violations

                `code` of an entry of `errors`, whether of a request, of a workflow document or of a refused answer. `params` has the values that a message in another language needs; a violation has those that apply, and `params` is absent if there are none.

                | Code | `params` | Cause | Remedy |
                |---|---|---|---|
                %s
                ## Codes of notices

                `metadata.notice` of a message of type `SYSTEM`: `{"code": …, "params": …}`. Messages from before these codes have none.

                | Code | `params` | Cause | Remedy |
                |---|---|---|---|
                %s""".formatted(
                        rows(Arrays.stream(ProblemKind.values()).map(kind -> "| `%s` | %d | `%s` | %s | %s |"
                                .formatted(kind.code(), kind.status(), kind.title(), kind.cause(), kind.remedy()))),
                        rows(Arrays.stream(ViolationCode.values())
                                .map(code -> row(code.text(), code.params(), code.cause(), code.remedy()))),
                        rows(Arrays.stream(NoticeCode.values())
                                .map(code -> row(code.text(), code.params(), code.cause(), code.remedy()))));
    }

    private static String row(String code, String params, String cause, String remedy) {
        String names = params.isEmpty() ? "" : "`" + params.replace(", ", "`, `") + "`";
        return "| `%s` | %s | %s | %s |".formatted(code, names, cause, remedy);
    }

    private static String rows(Stream<String> rows) {
        return rows.collect(Collectors.joining("\n", "", "\n"));
    }
}
