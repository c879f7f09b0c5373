package dev.parley.attachment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.ServiceResource;
import dev.parley.Tenant;
import dev.parley.db.Database;
import dev.parley.llm.ChatFile;
import dev.parley.media.TestFiles;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.junit.jupiter.api.Test;

/** The limits for several files in one request. */
@QuarkusTest
@QuarkusTestResource(ServiceResource.class)
class AttachmentReaderTest {
    private static final int MIB = 1 << 20;

    private final Tenant tenant = Tenant.create();

    private AttachedFile file(String name, String type, byte[] bytes) {
        return AttachedFile.stored(TestFiles.sent(tenant, name, type, bytes).text("/metadata/file/uri"));
    }

    private AttachedFile picture(String name, int bytes) {
        return file(name, "image/png", Arrays.copyOf(TestFiles.PNG, bytes));
    }

    private AttachedFile table(String name, int characters) {
        return file(name, "text/csv", "a,b\n".repeat(characters / 4).getBytes(StandardCharsets.UTF_8));
    }

    private List<ChatFile> read(AttachedFile... files) throws Exception {
        try (OpenAttachments read =
                Tenant.bean(AttachmentReader.class).read(tenant.organization(), List.of(files), Map.of())) {
            return read.files();
        }
    }

    @Test
    void picturesThatAreTooLargeAloneOrTogetherAreNamed() throws Exception {
        List<ChatFile> read = read(
                picture("huge.png", 5 * MIB + 1),
                picture("one.png", 2 * MIB),
                picture("two.png", 2 * MIB),
                picture("three.png", 2 * MIB),
                picture("small.png", MIB));
        assertThat(read.stream().map(ChatFile::isImage)).containsExactly(false, true, true, false, true);
        assertThat(read.getFirst().promptText())
                .contains("huge.png' (image/png) was not read: It is too large: a picture may have 5 MiB.");
        assertThat(read.get(3).promptText())
                .contains("three.png' (image/png) was not read: The pictures of a request may have 5 MiB together");
    }

    @Test
    void roomOfPicturesIsGivenBack() throws Exception {
        AttachedFile picture = picture("one.png", 4 * MIB);
        for (int i = 0; i < 100; i++) {
            assertThat(read(picture).getFirst().isImage()).isTrue();
        }
    }

    @Test
    void truncatedTextsEndWithAWholeCharacter() throws Exception {
        byte[] chat = ("a" + "💬".repeat(40_000)).getBytes(StandardCharsets.UTF_8);
        for (ChatFile file : read(file("1.csv", "text/csv", chat), file("2.csv", "text/csv", chat))) {
            assertThat(file.text().codePoints()).noneMatch(c -> Character.getType(c) == Character.SURROGATE);
            assertThat(file.text()).endsWith("[The rest is omitted.]");
        }
    }

    @Test
    void longTextsAreTruncatedAndFurtherOnesOmitted() throws Exception {
        List<ChatFile> read = read(
                table("one.csv", 100_000), table("two.csv", 100_000), table("three.csv", 100_000), table("4.csv", 8));
        assertThat(read.stream().map(file -> file.text().length() > 59_000)).containsExactly(true, true, false, false);
        assertThat(read.get(1).text()).endsWith("[The rest is omitted.]");
        assertThat(read.get(2).promptText()).contains("120000 characters together; it is left out.");
    }

    @Test
    void csvHasItsLettersOrIsRefused() throws Exception {
        String csv = "name,city\nZoë,Köln\n";
        List<ChatFile> read = read(
                file("marked.csv", "text/csv", ("\uFEFF" + csv).getBytes(StandardCharsets.UTF_8)),
                file("latin1.csv", "text/csv", ("Ada,Graz\n".repeat(500) + csv).getBytes(StandardCharsets.ISO_8859_1)));
        assertThat(read.getFirst().text()).isEqualTo(csv);
        assertThat(read.getLast().fault()).isEqualTo("It is not UTF-8 text. Save the file with the encoding UTF-8.");
    }

    @Test
    void datesOfASpreadsheetAreDates() throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (Workbook book = new Workbook(bytes, "Test", "1.0")) {
            Worksheet sheet = book.newWorksheet("Days");
            sheet.value(0, 0, LocalDate.of(2026, 1, 2));
            sheet.style(0, 0).format("d. mmm yyyy").set();
            sheet.value(0, 1, LocalDateTime.of(2026, 1, 2, 10, 30));
            sheet.style(0, 1).format("yyyy-mm-dd hh:mm").set();
            sheet.value(0, 2, 46_024);
        }
        assertThat(read(file("days.xlsx", TestFiles.XLSX_TYPE, bytes.toByteArray()))
                        .getFirst()
                        .text())
                .contains("2026-01-02,2026-01-02T10:30:00.000Z,46024");
    }

    @Test
    void unreadableDocumentIsReadAgainOnlyTheNextDay() throws Exception {
        AttachedFile damaged = file("a.pdf", "application/pdf", "%PDF-1.7 damaged".getBytes(StandardCharsets.UTF_8));
        assertThat(read(damaged).getFirst().fault()).isEqualTo("The PDF is damaged.");

        change("fault = 'remembered'");
        assertThat(read(damaged).getFirst().fault()).isEqualTo("remembered");
        assertThat(read(file("b.pdf", "application/pdf", "%PDF-1.7 damaged".getBytes(StandardCharsets.UTF_8)))
                        .getFirst()
                        .fault())
                .isEqualTo("remembered");

        change("read_at = read_at - interval '25 hours'");
        assertThat(read(damaged).getFirst().fault()).isEqualTo("The PDF is damaged.");
    }

    @Test
    void resultsOfADeletedOrganizationAreDeleted() throws Exception {
        read(file("a.pdf", "application/pdf", "%PDF-1.7 damaged".getBytes(StandardCharsets.UTF_8)));
        assertThat(storedResults()).isOne();
        tenant.browser()
                .delete("/dashboard/api/organizations/" + tenant.organization())
                .send()
                .expect(204);
        Tenant.bean(AttachmentReader.class).deleteReadings();
        assertThat(storedResults()).isZero();
    }

    private int storedResults() {
        return Tenant.bean(Database.class)
                .with(handle -> handle.createQuery("SELECT count(*) FROM document_reading WHERE organization_id = ?")
                        .bind(0, tenant.organization().value())
                        .mapTo(Integer.class)
                        .one());
    }

    private void change(String assignment) {
        Tenant.bean(Database.class)
                .change(handle -> handle.execute(
                        "UPDATE document_reading SET " + assignment + " WHERE organization_id = ?",
                        tenant.organization().value()));
    }

    @Test
    void aTextThatWasReadBeforeIsNotReadAgain() throws Exception {
        AttachedFile gone = AttachedFile.stored("s3://parley/nowhere/t.csv");
        Map<String, ChatFile> known = Map.of(gone.url(), ChatFile.text("t.csv", "text/csv", "kept"));
        try (OpenAttachments read =
                Tenant.bean(AttachmentReader.class).read(tenant.organization(), List.of(gone), known)) {
            assertThat(read.files().getFirst().text()).isEqualTo("kept");
        }
    }

    @Test
    void filesOfOthersAndAddressesThatMayNotBeFetchedAreNotRead() throws Exception {
        String foreign = TestFiles.sent(Tenant.create(), "t.csv", "text/csv", TestFiles.CSV)
                .text("/metadata/file/uri");
        List<ChatFile> read =
                read(AttachedFile.stored(foreign), new AttachedFile("https://example.com/picture.png", false));
        assertThat(Stream.of(0, 1).map(read::get)).noneMatch(ChatFile::isRead);
        assertThat(read.getFirst().fault()).isEqualTo("There is no such file.");
    }
}
