package dev.parley.http;

import dev.parley.problem.ApiProblem;
import dev.parley.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One action on each of several objects, with a result for each. */
public final class BulkAction {
    public static final int MAX_IDS = 100;

    private BulkAction() {}

    /** Creates the result of one object; error and detail are null if it was changed. */
    @FunctionalInterface
    public interface ResultFactory<I, R> {
        R create(I id, boolean succeeded, @Nullable String error, @Nullable String detail);
    }

    /** Reads the different ids of a body's member and changes each object by itself. */
    public static <I, R> List<R> each(
            @Nullable List<@Nullable String> texts,
            String path,
            Function<String, Optional<I>> parse,
            Consumer<I> change,
            ResultFactory<I, R> result) {
        List<R> results = new ArrayList<>();
        for (I id : ids(texts, path, parse)) {
            try {
                change.accept(id);
                results.add(result.create(id, true, null, null));
            } catch (ApiProblem problem) {
                results.add(result.create(id, false, problem.kind().title(), problem.detail()));
            }
        }
        return results;
    }

    private static <I> Set<I> ids(
            @Nullable List<@Nullable String> texts, String path, Function<String, Optional<I>> parse) {
        if (texts == null) {
            throw ApiProblem.invalid(Violation.missing(path));
        }
        var validator = new RequestValidator();
        validator.require(
                !texts.isEmpty() && texts.size() <= MAX_IDS,
                path,
                "'" + path + "' must have 1 to " + MAX_IDS + " ids.");
        validator.done();
        Set<I> ids = new LinkedHashSet<>();
        for (int i = 0; i < texts.size(); i++) {
            String element = path + "/" + i;
            Optional<I> id = Optional.ofNullable(texts.get(i)).flatMap(parse);
            validator.require(id.isPresent(), element, "'" + element + "' must be an id of 32 hex digits.");
            id.ifPresent(ids::add);
        }
        validator.done();
        return ids;
    }
}
