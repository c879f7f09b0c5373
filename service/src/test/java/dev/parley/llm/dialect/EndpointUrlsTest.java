package dev.parley.llm.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointUrlsTest {
    @ParameterizedTest
    @CsvSource({
        "https://h/v1, https://h/v1/chat/completions",
        "https://h/v1/, https://h/v1/chat/completions",
        "https://h/v1//, https://h/v1/chat/completions",
        "https://h/v1?api-version=1, https://h/v1/chat/completions?api-version=1",
        "https://h/v1/?api-version=1&x=/, https://h/v1/chat/completions?api-version=1&x=/",
        "https://h/v1/chat/completions, https://h/v1/chat/completions",
        "https://h/v1/chat/completions/, https://h/v1/chat/completions",
        "https://h/chat/completions?a=b, https://h/chat/completions?a=b",
        "https://h/v1?, https://h/v1/chat/completions",
        "https://h/v1beta/openai/, https://h/v1beta/openai/chat/completions",
        "https://h/api/paas/v4, https://h/api/paas/v4/chat/completions",
        "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21, "
                + "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21",
        "https://x.openai.azure.com/openai/v1/, https://x.openai.azure.com/openai/v1/chat/completions",
        "https://x.openai.azure.com, https://x.openai.azure.com/openai/v1/chat/completions",
    })
    void thePathGoesBeforeTheQuery(String base, String url) {
        assertThat(EndpointUrls.of(base, "m")).containsExactly(url);
    }

    @ParameterizedTest
    @CsvSource({
        "https://h, https://h/v1/chat/completions, https://h/chat/completions",
        "https://h:8000/, https://h:8000/v1/chat/completions, https://h:8000/chat/completions",
        "https://h/api, https://h/api/chat/completions, https://h/api/v1/chat/completions",
        "https://h/api?k=v, https://h/api/chat/completions?k=v, https://h/api/v1/chat/completions?k=v",
        "https://x.openai.azure.com/?api-version=1, "
                + "https://x.openai.azure.com/openai/deployments/a%2Fm/chat/completions?api-version=1, "
                + "https://x.openai.azure.com/openai/v1/chat/completions?api-version=1",
    })
    void withoutAVersionBothAddressesAreTried(String base, String first, String second) {
        assertThat(EndpointUrls.of(base, "a/m")).containsExactly(first, second);
    }

    @ParameterizedTest
    @CsvSource({
        "https://x.openai.azure.com/openai/v1, true",
        "https://X.Services.AI.Azure.com/models?api-version=1, true",
        "https://gateway.example/openai/deployments/d?API-Version=1, true",
        "https://openai.azure.com.example/v1, false",
        "https://h/v1?x=api-version, false",
        "https://h/v1, false",
    })
    void azureIsKnownByItsHostOrQuery(String base, boolean azure) {
        assertThat(EndpointUrls.isAzure(base)).isEqualTo(azure);
    }
}
