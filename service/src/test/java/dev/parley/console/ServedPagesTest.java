package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The headers of the dashboard's pages, if they were built. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class ServedPagesTest {
    private static final Pattern SCRIPT = Pattern.compile("src=\"(/assets/[^\"]+\\.js)\"");

    @Test
    void pagesHaveAStrictPolicyAndAreCachedByTheirTags() {
        assumeThat(getClass().getResource("/dashboard/index.html")).isNotNull();

        Api.Answer page = new Api().get("/organizations/x/api-access").send().expect(200);
        Matcher script = SCRIPT.matcher(page.body());

        assertThat(page.header("Content-Type")).contains("text/html");
        assertThat(page.header("Cache-Control")).isEqualTo("no-cache");
        assertThat(page.header("Content-Security-Policy"))
                .contains("script-src 'self';")
                .doesNotContain("unsafe-eval");
        assertThat(page.body()).doesNotContainPattern("<script(?![^>]*\\bsrc=)");
        assertThat(script.find()).isTrue();
        assertThat(new Api().get(script.group(1)).send().expect(200).header("Cache-Control"))
                .contains("immutable");
        new Api().get("/").header("If-None-Match", page.header("ETag")).send().expect(304);
        new Api().get("/assets/nothing.js").send().expect(404);
    }
}
