package dev.parley.organization.oidc;

import dev.parley.Api;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** A browser that signs in at the {@link TestProvider} as the provider's current person. */
public final class ProviderBrowser {
    private static final String PATH = "/dashboard/api/oidc";

    private ProviderBrowser() {}

    /** The browser's final location: the dashboard with a session, or the sign-in page with an error. */
    public record Arrival(String location, Api browser) {}

    public static Arrival signIn(TestProvider provider) {
        Api.Answer started = new Api().get(PATH + "/start").send().expect(302);
        Map<String, String> back = provider.authorize(started.header("Location"));
        String query = back.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        Api.Answer ended = new Api()
                .get(PATH + "/callback?" + query)
                .header("Cookie", started.header("Set-Cookie").split(";", 2)[0])
                .send()
                .expect(302);
        Api browser = Api.dashboard();
        ended.headers().allValues("Set-Cookie").stream()
                .filter(cookie -> cookie.startsWith("parley_session="))
                .forEach(cookie -> browser.withSession(cookie.split("[=;]", 3)[1]));
        return new Arrival(ended.header("Location"), browser);
    }
}
