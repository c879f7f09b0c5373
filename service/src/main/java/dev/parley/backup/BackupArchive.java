package dev.parley.backup;

import dev.parley.settings.SettingsException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * The file of a backup: a gzipped tar archive, encrypted if there is a passphrase. A plain file ends with its own digest.
 * Reading and writing need a bounded amount of memory.
 */
final class BackupArchive {
    private static final int BUFFER_BYTES = 128 * 1024;

    /** An empty member of a gzip file up to its comment, which programs skip. The comment is the digest. */
    private static final byte[] TRAILER_START = HexFormat.of().parseHex("1f8b08100000000000ff");

    private static final byte[] TRAILER_END = HexFormat.of().parseHex("0003000000000000000000");
    private static final int TRAILER_BYTES = TRAILER_START.length + 64 + TRAILER_END.length;

    private BackupArchive() {}

    /** Receives the entries in their order; what it leaves unread is skipped. */
    @FunctionalInterface
    interface EntryReader {
        void read(TarArchiveEntry entry, InputStream content) throws IOException, SQLException;
    }

    /** Adds entries to an archive. */
    static final class Writer {
        private final TarArchiveOutputStream tar;

        private Writer(TarArchiveOutputStream tar) {
            this.tar = tar;
        }

        void add(String name, long size, FileTime modified, InputStream content) throws IOException {
            var entry = new TarArchiveEntry(name);
            entry.setSize(size);
            entry.setLastModifiedTime(modified);
            entry.setMode(0100600);
            entry.setIds(0, 0);
            entry.setNames("", "");
            tar.putArchiveEntry(entry);
            content.transferTo(tar);
            tar.closeArchiveEntry();
        }
    }

    /** Writes the entries of an archive. */
    @FunctionalInterface
    interface EntryWriter {
        void write(Writer writer) throws IOException, SQLException;
    }

    static void write(OutputStream file, Optional<String> passphrase, EntryWriter entries)
            throws IOException, SQLException {
        MessageDigest all = DigestUtils.getSha256Digest();
        OutputStream out = passphrase.isPresent()
                ? SealedStream.sealing(file, passphrase.get())
                : new DigestOutputStream(file, all);
        var gzip = new FastGzip(out);
        var tar = new TarArchiveOutputStream(gzip, StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        entries.write(new Writer(tar));
        tar.finish();
        gzip.finish();
        if (passphrase.isPresent()) {
            out.close();
        } else {
            file.write(trailer(all));
        }
    }

    /** Most stored files are compressed already. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(1);
        }
    }

    private static byte[] trailer(MessageDigest digest) {
        return ByteBuffer.allocate(TRAILER_BYTES)
                .put(TRAILER_START)
                .put(HexFormat.of().formatHex(digest.digest()).getBytes(StandardCharsets.US_ASCII))
                .put(TRAILER_END)
                .array();
    }

    /**
     * Reads all entries, and checks everything that was read.
     *
     * @throws SettingsException if there is no file, or the passphrase is missing or wrong
     * @throws IOException if it is damaged
     */
    static void read(Path file, Optional<String> passphrase, EntryReader reader) throws IOException, SQLException {
        if (!Files.isRegularFile(file)) {
            throw new SettingsException("There is no file " + file + ".");
        }
        try (var in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            in.mark(SealedStream.MAGIC.length);
            if (Arrays.equals(in.readNBytes(SealedStream.MAGIC.length), SealedStream.MAGIC)) {
                readEntries(
                        SealedStream.opening(
                                in,
                                passphrase.orElseThrow(() -> new SettingsException(
                                        "The backup is encrypted: PARLEY_BACKUP_PASSPHRASE is required."))),
                        reader);
                return;
            }
            in.reset();
            checkDigest(file);
            readEntries(in, reader);
        }
    }

    private static void checkDigest(Path file) throws IOException {
        MessageDigest digest = DigestUtils.getSha256Digest();
        try (InputStream in = Files.newInputStream(file)) {
            for (long left = Files.size(file) - TRAILER_BYTES; left > 0; left -= BUFFER_BYTES) {
                digest.update(in.readNBytes((int) Math.min(left, BUFFER_BYTES)));
            }
            if (!Arrays.equals(in.readAllBytes(), trailer(digest))) {
                throw new IOException("its digest differs");
            }
        }
    }

    private static void readEntries(InputStream content, EntryReader reader) throws IOException, SQLException {
        var gzip = new GZIPInputStream(content, BUFFER_BYTES);
        var tar = new TarArchiveInputStream(gzip, StandardCharsets.UTF_8.name());
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            reader.read(entry, tar);
        }
        // The checks of the compression and of the encryption are at their ends.
        gzip.transferTo(OutputStream.nullOutputStream());
        content.transferTo(OutputStream.nullOutputStream());
    }
}
