package dev.parley.datalake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.blob.s3.TestS3;
import dev.parley.id.OrganizationId;
import dev.parley.problem.ApiProblem;
import dev.parley.problem.ProblemKind;
import dev.parley.settings.Setting;
import dev.parley.settings.Settings;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The prefixes that an organization may read, and their limits. */
class LakeSourcesTest {
    private static final OrganizationId ACME = OrganizationId.next();
    private static final OrganizationId OTHER = OrganizationId.next();

    @TempDir
    private Path directory;

    private static S3LakeSource sources(Settings.S3 s3, String prefixes, String megabytes) {
        Map<Setting, String> values = new EnumMap<>(Setting.class);
        values.put(Setting.PARLEY_DATA_LAKE_S3, prefixes);
        values.put(Setting.PARLEY_MAX_UPLOAD_MB, megabytes);
        values.put(Setting.PARLEY_S3_ENDPOINT, s3.endpoint().orElseThrow().toString());
        values.put(Setting.PARLEY_S3_PATH_STYLE, "true");
        values.put(Setting.PARLEY_S3_ACCESS_KEY, s3.accessKey().orElseThrow());
        values.put(Setting.PARLEY_S3_SECRET_KEY, s3.secretKey());
        return new S3LakeSource(Settings.of(values).files(), 5);
    }

    private static S3LakeSource allowing() {
        return sources(
                TestS3.settings(1),
                ACME.text() + "=s3://data/acme/, *=s3://open/all/, " + ACME.text() + "=s3://whole/",
                "1");
    }

    private static void assertRefused(Runnable check, ProblemKind kind) {
        assertThatThrownBy(check::run)
                .asInstanceOf(InstanceOfAssertFactories.type(ApiProblem.class))
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo(kind);
                    assertThat(problem.faults().getFirst().path()).isEqualTo("/s3_uri");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://data/acme/",
                "s3://data/acme/2029/",
                "s3://data/acme/2029/x y.csv",
                "s3://whole/",
                "s3://open/all/x"
            })
    void urisWithinAPrefixAreAllowed(String uri) {
        S3Uri checked = allowing().check(ACME, uri);
        assertThat("s3://" + checked.bucket() + "/" + checked.key()).isEqualTo(uri);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://data/",
                "s3://data/acme",
                "s3://data/acmeEVIL/x.csv",
                "s3://data/acme.csv",
                "s3://data/other/x.csv",
                "s3://data/ACME/x.csv",
                "s3://elsewhere/acme/x.csv",
                "s3://open/",
                "s3://open/all%2fx"
            })
    void otherUrisAreForbidden(String uri) {
        ProblemKind kind = uri.contains("%") ? ProblemKind.VALIDATION_FAILED : ProblemKind.FORBIDDEN;
        assertRefused(() -> allowing().check(ACME, uri), kind);
    }

    @Test
    void anotherOrganizationsPrefixIsNotOnes() {
        assertThat(allowing().allowed(ACME)).containsExactly("s3://data/acme/", "s3://open/all/", "s3://whole/");
        assertThat(allowing().allowed(OTHER)).containsExactly("s3://open/all/");
        assertRefused(() -> allowing().check(OTHER, "s3://data/acme/x.csv"), ProblemKind.FORBIDDEN);
        assertRefused(
                () -> new S3LakeSource(Settings.of(Map.of()).files()).check(ACME, "s3://data/acme/"),
                ProblemKind.FORBIDDEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "s3://",
                "s3://data",
                "https://data/acme/x.csv",
                "S3://data/acme/x.csv",
                "s3://DATA/acme/x.csv",
                "s3://data:9000/acme/x.csv",
                "s3://key:secret@data/acme/x.csv",
                "s3://data/acme/../other/x.csv",
                "s3://data/acme/..",
                "s3://data/acme/./x.csv",
                "s3://data/acme//x.csv",
                "s3://data//",
                "s3://data/acme/%2e%2e/other/x.csv",
                "s3://data/acme/.%2E/other/x.csv",
                "s3://data/acme/..%2fother/x.csv",
                "s3://data/acme/..%5Cother/x.csv",
                "s3://data/acme/%252e%252e/other/x.csv",
                "s3://data/acme/..\\other",
                "s3://data/acme/x\n.csv",
                "s3://data/acme/\0"
            })
    void ambiguousKeysAreInvalid(String uri) {
        assertRefused(() -> allowing().check(ACME, uri), ProblemKind.VALIDATION_FAILED);
    }

    @Test
    void moreObjectsOrBytesThanAllowedAreNotRead() throws Exception {
        try (TestS3 s3 = TestS3.start()) {
            S3LakeSource sources = sources(s3.settings(), "*=s3://" + TestS3.LAKES + "/", "1");
            try {
                byte[] half = "x".repeat(500_001).getBytes(UTF_8);
                s3.put("large/a", half);
                s3.put("large/.hidden", half);
                s3.put("large/_temporary/0", half);
                S3Uri large = sources.check(ACME, "s3://" + TestS3.LAKES + "/large/");
                assertThat(sources.copy(large, number -> directory.resolve("a" + number)))
                        .isEqualTo(List.of("s3://" + TestS3.LAKES + "/large/a"));
                s3.put("large/b", half);
                assertRefused(() -> copy(sources, large), ProblemKind.PAYLOAD_TOO_LARGE);
                for (int i = 0; i < 6; i++) {
                    s3.put("many/" + i, new byte[0]);
                }
                S3Uri many = sources.check(ACME, "s3://" + TestS3.LAKES + "/many/");
                assertRefused(() -> copy(sources, many), ProblemKind.PAYLOAD_TOO_LARGE);
            } finally {
                sources.close();
            }
        }
    }

    private void copy(S3LakeSource sources, S3Uri uri) {
        try {
            sources.copy(uri, number -> directory.resolve("never" + number));
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
