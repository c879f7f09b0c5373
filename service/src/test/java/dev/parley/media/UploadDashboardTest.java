package dev.parley.media;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.Api;
import dev.parley.ServiceResource;
import dev.parley.organization.member.TestOrganizations;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Uploads by dashboard users. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class UploadDashboardTest {
    @Inject
    TestOrganizations organizations;

    @Test
    void aPersonSendsAFileWithACaption() {
        TestOrganizations.Tenant org = organizations.create();
        Api.Answer presigned = org.member()
                .browser()
                .post(org.path() + "/media/presigned-url")
                .json(Map.of("filename", "photo.png", "content_type", "image/png"))
                .send()
                .expect(201);
        assertThat(TestFiles.put(presigned, TestFiles.PNG)).isEqualTo(200);
        String conversation = org.member()
                .browser()
                .post(org.path() + "/conversations")
                .json(Map.of())
                .send()
                .expect(201)
                .text("/id");
        String messages = org.path() + "/conversations/" + conversation + "/messages";
        Api.Answer sent = org.member()
                .browser()
                .post(messages)
                .json(Map.of(
                        "content_type", "image/png", "filename", presigned.text("/filename"), "content", "Our house"))
                .send()
                .expect(200);
        assertThat(sent.text("/content_type")).isEqualTo("IMAGE");
        assertThat(sent.text("/content")).isEqualTo("Our house");
        assertThat(sent.text("/created_by"))
                .isEqualTo("user:" + org.member().id().text());
        String download =
                org.path() + TestFiles.path(sent.text("/metadata/file/path")).replace("/developer/api", "");
        org.owner().browser().get(download).send().expect(200);
        organizations.testUser().browser().get(download).send().expect(404);
        Api browser = org.member().browser();
        assertThat(browser.post(messages)
                        .json(Map.of("content_type", "image/png"))
                        .send()
                        .expect(400)
                        .text("/errors/0/path"))
                .isEqualTo("/filename");
        browser.post(messages)
                .json(Map.of("content", "text", "filename", "photo.png"))
                .send()
                .expect(400);
        browser.post(messages)
                .json(Map.of("content_type", "image/png", "filename", "unknown.png"))
                .send()
                .expect(400);
        browser.post(org.path() + "/media/presigned-url")
                .json(Map.of("filename", "a.html", "content_type", "text/html"))
                .send()
                .expect(400);
        organizations
                .testUser()
                .browser()
                .post(org.path() + "/media/presigned-url")
                .json(Map.of("filename", "photo.png", "content_type", "image/png"))
                .send()
                .expect(404);
    }
}
