package dev.parley.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages themselves are tested in a browser (dashboard/tests). */
class DashboardPagesTest {
    private final PageFiles files = PageFiles.inClassPath("/pages");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/sign-in",
                "/organizations",
                "/setup",
                "/docs",
                "/docs/",
                "/organizations/0192f0c1a2b37c4d8e5f60718293a4b5/api-access",
                "/invitations/some-token"
            })
    void addressesOfTheApplicationArePages(String path) {
        assertThat(DashboardPages.isPage(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/developer/api/conversations",
                "/dashboard/api/me",
                "/openapi.json",
                "/health/ready",
                "/metrics",
                "/media/files/x",
                "/organizationsx",
                "/nowhere",
                "/index.html/x"
            })
    void otherResponsesAreUnchanged(String path) {
        assertThat(DashboardPages.isUnknownPage(path, "application/json, */*")).isFalse();
        assertThat(DashboardPages.isPage(path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nosuch", "/foo/bar", "/organizationsx", "/healthy"})
    void aBrowserGetsAPageForAnUnknownPath(String path) {
        assertThat(DashboardPages.isUnknownPage(path, "text/html,application/xhtml+xml"))
                .isTrue();
        assertThat(DashboardPages.isUnknownPage(path, null)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/developer/api/nosuch", "/dashboard/api/nosuch", "/media/files/x", "/docs/x", "/openapi"})
    void anApiIsNoPageEvenInABrowser(String path) {
        assertThat(DashboardPages.isUnknownPage(path, "text/html")).isFalse();
    }

    @Test
    void onlyListedFilesAreServed() {
        PageFiles.PageFile script = files.find("/assets/app.js");

        assertThat(script).isNotNull();
        assertThat(new String(script.content().plain(), java.nio.charset.StandardCharsets.UTF_8))
                .contains("hello");
        assertThat(script.content().type()).isEqualTo("text/javascript; charset=utf-8");
        assertThat(script.hashed()).isTrue();
        assertThat(files.find("/index.html")).isNotNull().matches(page -> !page.hashed());
        assertThat(files.find("/files.txt")).isNull();
        assertThat(files.find("/assets/../index.html")).isNull();
    }

    @Test
    void pagesTalkToTheServiceAloneUnlessFilesGoToAnotherStore() {
        assertThat(DashboardPages.policy(Optional.empty())).contains("; connect-src 'self'; ");
        assertThat(DashboardPages.policy(Optional.of("https://files.example:9000")))
                .contains("; connect-src 'self' https://files.example:9000; ");
    }

    @Test
    void framesShowOnlyFilesThatThePageLoaded() {
        assertThat(DashboardPages.policy(Optional.empty()))
                .startsWith("default-src 'none'; ")
                .contains("; frame-src blob:; ", "; frame-ancestors 'none'");
    }

    @Test
    void aServiceBuiltWithoutTheDashboardHasNoPages() {
        assertThat(PageFiles.inClassPath("/no-such-pages").find("/index.html")).isNull();
    }
}
