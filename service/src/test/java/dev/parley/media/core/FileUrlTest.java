package dev.parley.media.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileUrlTest {
    private static final Set<String> HOSTS = Set.of("minio.example:9000");

    @ParameterizedTest
    @CsvSource({
        "s3://bucket/a/b.pdf, bucket, a/b.pdf",
        "s3://bucket/with space %41.pdf, bucket, with space %41.pdf",
        "https://bucket.s3.amazonaws.com/a/b.pdf, bucket, a/b.pdf",
        "https://my.bucket.s3.eu-west-1.amazonaws.com/a%20b+c.pdf, my.bucket, a b+c.pdf",
        "https://bucket.s3-us-west-2.amazonaws.com/a, bucket, a",
        "https://bucket.s3.dualstack.eu-west-1.amazonaws.com/a, bucket, a",
        "https://s3.eu-west-1.amazonaws.com/bucket/a/b.pdf, bucket, a/b.pdf",
        "https://s3.amazonaws.com/bucket/a, bucket, a",
        "https://s3.cn-north-1.amazonaws.com.cn/bucket/a, bucket, a",
        "HTTPS://Minio.Example:9000/bucket/a%2Fb.pdf, bucket, a/b.pdf",
        "http://minio.example:9000/bucket/a, bucket, a",
        "https://bucket.minio.example:9000/a/b, bucket, a/b"
    })
    void bothStylesAndUrisName(String url, String bucket, String path) {
        assertThat(FileUrl.parse(url, HOSTS)).contains(new FileUrl.InBucket(bucket, path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.com/report.pdf",
                "http://example.com:8080/a?b=c",
                "https://minio.example/bucket/a",
                "https://bucket.s3.amazonaws.com/a?X-Amz-Signature=abc",
                "https://s3.amazonaws.com.evil.example/bucket/a",
                "https://evils3.amazonaws.com/bucket/a",
                "https://minio.example:9000/"
            })
    void othersAreOnTheWeb(String url) {
        assertThat(FileUrl.parse(url, HOSTS)).contains(new FileUrl.OnTheWeb(url));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "report.pdf",
                "s3://",
                "s3://bucket",
                "s3://bucket/",
                "s3://UPPER/a",
                "s3://a b/c",
                "ftp://a/b",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "https://",
                "https:///x",
                "https://a b/c",
                "s3:///a/b",
                "data:text/plain,x"
            })
    void otherTextsAreNoFileUrls(String url) {
        assertThat(FileUrl.parse(url, HOSTS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com/a/report.pdf?x=1, report.pdf",
        "s3://bucket/a/b.csv, b.csv",
        "https://example.com/a%2Fb.pdf, b.pdf"
    })
    void theLastPartIsTheName(String url, String name) {
        assertThat(FileUrl.name(url)).contains(name);
    }
}
