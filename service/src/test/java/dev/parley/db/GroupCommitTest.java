package dev.parley.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.TestSize;
import dev.parley.settings.CommitCapacity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private static final CommitCapacity QUEUE = TestSize.SMALLEST.commits().withWriters(1);

    @Test
    void rowsThatArriveDuringACommitFormTheNextBatch() throws Exception {
        List<List<Integer>> batches = Collections.synchronizedList(new ArrayList<>());
        var first = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (var commits = new GroupCommit<Integer, Integer>("test", QUEUE, 100, rows -> {
            batches.add(rows);
            first.countDown();
            await(go);
            return rows.stream().map(row -> row * 2).toList();
        })) {
            CompletableFuture<Integer> lone = commits.submit(1);
            first.await();
            List<CompletableFuture<Integer>> rest =
                    IntStream.rangeClosed(2, 50).mapToObj(commits::submit).toList();
            go.countDown();
            assertThat(lone.join()).isEqualTo(2);
            assertThat(rest.stream().map(CompletableFuture::join))
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(2, 50).map(i -> i * 2).boxed().toList());
            assertThat(batches).hasSize(2);
        }
    }

    @Test
    void aPoisonousRowFailsAlone() {
        try (var commits = new GroupCommit<Integer, Integer>("test", QUEUE, 100, rows -> {
            if (rows.contains(3)) {
                throw new IllegalArgumentException("three");
            }
            return rows;
        })) {
            List<CompletableFuture<Integer>> answers =
                    IntStream.rangeClosed(1, 5).mapToObj(commits::submit).toList();
            assertThat(answers.get(0).join()).isEqualTo(1);
            assertThat(answers.get(4).join()).isEqualTo(5);
            assertThatThrownBy(() -> answers.get(2).join())
                    .isInstanceOf(CompletionException.class)
                    .hasRootCauseMessage("three");
        }
    }

    @Test
    void rowsThatOneTransactionCannotWriteFollowInTheNext() {
        List<List<Integer>> transactions = Collections.synchronizedList(new ArrayList<>());
        var go = new CountDownLatch(1);
        try (var commits = new GroupCommit<Integer, Integer>("test", QUEUE, 100, rows -> {
            await(go);
            List<Integer> written = rows.stream()
                    .takeWhile(row -> row / 10 == rows.getFirst() / 10)
                    .toList();
            transactions.add(written);
            if (written.contains(13)) {
                throw new IllegalArgumentException("thirteen");
            }
            return written;
        })) {
            CompletableFuture<Integer> lone = commits.submit(0);
            List<CompletableFuture<Integer>> rest =
                    Stream.of(1, 2, 11, 13, 12).map(commits::submit).toList();
            go.countDown();
            assertThat(lone.join()).isZero();
            assertThat(rest.get(0).join()).isEqualTo(1);
            assertThat(rest.get(4).join()).isEqualTo(12);
            assertThatThrownBy(() -> rest.get(3).join()).hasRootCauseMessage("thirteen");
            assertThat(transactions.stream().filter(written -> written.contains(1)))
                    .as("committed rows are not written again when later ones fail")
                    .hasSize(1);
        }
    }

    /** For example, when the sizer queries an unavailable database. */
    @Test
    void aFailingSizerDoesNotEndTheWriter() {
        try (var commits = new GroupCommit<Integer, Integer>("test", QUEUE, 100, rows -> rows).weighingRowsBy(row -> {
            throw new IllegalStateException("no size of " + row);
        })) {
            assertThat(commits.submit(1).orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(1);
            assertThat(commits.submit(2).orTimeout(10, TimeUnit.SECONDS).join()).isEqualTo(2);
        }
    }

    @Test
    void queuedRowsAreWrittenBeforeItCloses() {
        List<Integer> written = Collections.synchronizedList(new ArrayList<>());
        var commits = new GroupCommit<Integer, Integer>("test", QUEUE.withWriters(2), 10, rows -> {
            written.addAll(rows);
            return rows;
        });
        List<CompletableFuture<Integer>> answers =
                IntStream.range(0, 1000).mapToObj(commits::submit).toList();
        commits.close();
        answers.forEach(CompletableFuture::join);
        assertThat(written).hasSize(1000);
        assertThat(commits.submit(1)).isCompletedExceptionally();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
