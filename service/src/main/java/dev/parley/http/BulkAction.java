package dev.parley.http;

import dev.parley.problem.ApiProblem;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One action on each of several objects, with a result for each. */
public final class BulkAction {
    public static final int MAX_IDS = 100;

    private BulkAction() {}

    /** Creates the result of one object; error, detail and code are null if it was changed. */
    @FunctionalInterface
    public interface ResultFactory<I, R> {
        R create(I id, boolean succeeded, @Nullable String error, @Nullable String detail, @Nullable String code);
    }

    /** Changes each of the different objects by itself. */
    public static <I, R> List<R> each(List<I> ids, Consumer<I> change, ResultFactory<I, R> result) {
        List<R> results = new ArrayList<>();
        for (I id : new LinkedHashSet<>(ids)) {
            try {
                change.accept(id);
                results.add(result.create(id, true, null, null, null));
            } catch (ApiProblem problem) {
                results.add(result.create(
                        id,
                        false,
                        problem.kind().title(),
                        problem.detail(),
                        problem.kind().code()));
            }
        }
        return results;
    }
}
