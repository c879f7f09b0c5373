package dev.parley.organization.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.egress.ScriptedServer;
import dev.parley.organization.MailedServiceResource;
import dev.parley.organization.member.TestOrganizations;
import dev.parley.organization.member.TestOrganizations.TestUser;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The routes of OpenID Connect as a browser uses them: cookies and redirects. */
@QuarkusTest
@QuarkusTestResource(value = MailedServiceResource.class, restrictToAnnotatedClass = true)
class OidcResourceTest {
    private static final String PATH = "/dashboard/api/oidc";
    private static final String NOT_BEGUN = "/sign-in?error=oidc_not_begun_here&next=%2F";

    TestProvider provider;

    @Inject
    TestOrganizations organizations;

    @Test
    void theSignInPageLearnsOfTheProvider() {
        assertThat(new Api().get(PATH).send().expect(200).body()).isEqualTo("""
                {"enabled":true,"name":"Acme ID"}""");
    }

    @Test
    void aBrowserGoesToTheProviderAndComesBackSignedIn() {
        TestUser ada = organizations.testUser();
        provider.person("adas", ada.email(), true);
        Api.Answer started = start("/organizations?a=b");
        assertThat(started.header("Location"))
                .startsWith(provider.issuer() + "/authorize?tenant=a&response_type=code&client_id=parley&")
                .contains("code_challenge_method=S256", "scope=openid%20email%20profile", "&nonce=", "&state=");
        assertThat(started.header("Set-Cookie"))
                .startsWith("parley_oidc=")
                .containsIgnoringCase("HttpOnly")
                .containsIgnoringCase("SameSite=Lax")
                .containsIgnoringCase("Max-Age=600")
                .containsIgnoringCase("Path=/dashboard/api/oidc");
        Api.Answer ended = callback(started, provider.authorize(started.header("Location")), "");
        assertThat(ended.header("Location")).isEqualTo("/organizations?a=b");
        List<String> cookies = ended.headers().allValues("Set-Cookie");
        assertThat(cookies).anySatisfy(cookie -> assertThat(cookie)
                .matches("parley_session=[A-Za-z0-9_-]{43};.*")
                .containsIgnoringCase("SameSite=Strict")
                .containsIgnoringCase("HttpOnly"));
        assertThat(cookies)
                .anySatisfy(
                        cookie -> assertThat(cookie).startsWith("parley_oidc=").containsIgnoringCase("Max-Age=0"));
        assertThat(me(session(ended)).text("/email")).isEqualTo(ada.email());
    }

    @Test
    void theSessionIsNewWhateverTheBrowserBrought() {
        TestUser ada = organizations.testUser();
        TestUser eve = organizations.testUser();
        provider.person("fixated", ada.email(), true);
        String planted = eve.browser().session().orElseThrow();
        Api.Answer started = start("/");
        Api.Answer ended =
                callback(started, provider.authorize(started.header("Location")), "; parley_session=" + planted);
        assertThat(session(ended)).isNotEqualTo(planted);
        assertThat(me(session(ended)).text("/email")).isEqualTo(ada.email());
        assertThat(me(planted).text("/email")).isEqualTo(eve.email());
    }

    @Test
    void aRedirectStartedByAnotherBrowserDoesNotSignIn() {
        TestUser eve = organizations.testUser();
        provider.person("eves", eve.email(), true);
        Map<String, String> hers = provider.authorize(start("/").header("Location"));
        Api.Answer victim = callback(start("/"), hers, "");
        assertThat(victim.header("Location")).isEqualTo(NOT_BEGUN);
        assertThat(victim.headers().allValues("Set-Cookie")).isEmpty();
        Api.Answer without =
                new Api().get(PATH + "/callback?" + query(hers)).send().expect(302);
        assertThat(without.header("Location")).isEqualTo(NOT_BEGUN);
        assertThat(new Api().get(PATH + "/callback").send().expect(302).header("Location"))
                .isEqualTo(NOT_BEGUN);
    }

    @Test
    void aReplayedCodeDoesNotSignIn() {
        TestUser ada = organizations.testUser();
        provider.person("replayed", ada.email(), true);
        Api.Answer started = start("/");
        Map<String, String> back = provider.authorize(started.header("Location"));
        session(callback(started, back, ""));
        assertThat(callback(started, back, "").header("Location")).isEqualTo(NOT_BEGUN);
    }

    @Test
    void errorsAreExplainedByTheSignInPage() {
        provider.person("stranger", "stranger@nowhere.example", true);
        Api.Answer started = start("/organizations");
        assertThat(callback(started, provider.authorize(started.header("Location")), "")
                        .header("Location"))
                .isEqualTo("/sign-in?error=oidc_not_invited&next=%2Forganizations");
    }

    @Test
    void aProviderThatBreaksLeavesPasswordsAsTheyAre() {
        TestUser ada = organizations.withPassword("correct horse battery");
        provider.instead("/token", ScriptedServer.answering(500, "text/plain", "broken"));
        Api.Answer started = start("/");
        assertThat(callback(started, provider.authorize(started.header("Location")), "")
                        .header("Location"))
                .isEqualTo("/sign-in?error=oidc_provider_unavailable&next=%2F");
        provider.again("/token");
        ada.browser().login(ada.email(), "correct horse battery").expect(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//evil.example",
                "/\\evil.example",
                "https://evil.example",
                "evil",
                "/a\\b",
                "/\t/evil.example",
                "/a\r\nSet-Cookie: a=b",
                "/é",
                "javascript:alert(1)"
            })
    void theWayBackIsAPathOfThisSite(String path) {
        Api.Answer answer = new Api()
                .get(PATH + "/start?return_to=" + URLEncoder.encode(path, StandardCharsets.UTF_8))
                .send()
                .expect(400);
        assertThat(answer.text("/errors/0/detail")).startsWith("'return_to'");
        assertThat(answer.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void anyQueryIsAnswered() {
        for (String query :
                List.of("?code=%00&state=%00", "?state=%F0%9F", "?error=%0d%0aX:y&state=a", "?code&state")) {
            new Api().get(PATH + "/callback" + query).send().expect(302);
        }
    }

    private static Api.Answer start(String returnTo) {
        return new Api()
                .get(PATH + "/start?return_to=" + URLEncoder.encode(returnTo, StandardCharsets.UTF_8))
                .send()
                .expect(302);
    }

    private static Api.Answer callback(Api.Answer started, Map<String, String> back, String moreCookies) {
        String cookie = started.header("Set-Cookie").split(";", 2)[0];
        return new Api()
                .get(PATH + "/callback?" + query(back))
                .header("Cookie", cookie + moreCookies)
                .header("Sec-Fetch-Site", "cross-site")
                .send()
                .expect(302);
    }

    private static String query(Map<String, String> fields) {
        return new HashMap<>(fields)
                .entrySet().stream()
                        .map(field ->
                                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }

    private static String session(Api.Answer answer) {
        return answer.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("parley_session="))
                .map(cookie -> cookie.split("[=;]", 3)[1])
                .findFirst()
                .orElseThrow();
    }

    private static Api.Answer me(String session) {
        return Api.dashboard()
                .withSession(session)
                .get("/dashboard/api/me")
                .send()
                .expect(200);
    }
}
