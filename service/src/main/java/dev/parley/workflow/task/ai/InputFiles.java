package dev.parley.workflow.task.ai;

import dev.parley.attachment.AttachedFile;
import dev.parley.workflow.definition.core.value.InputParameter;
import dev.parley.workflow.definition.core.value.InputSource;
import dev.parley.workflow.definition.core.value.SystemValue;
import dev.parley.workflow.task.TaskRun;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The files that a task's model gets: those named by its inputs, and the trigger's if they are no input of the
 * workflow. Stored files are recognised by their URI in any input; a web URL is fetched only if it is one of the
 * trigger's files.
 */
final class InputFiles {
    private InputFiles() {}

    /** Each file once, those of the inputs first. */
    static List<AttachedFile> of(TaskRun run, Predicate<String> isUrl) {
        Map<String, Boolean> fetched = new LinkedHashMap<>();
        for (InputParameter input : run.task().inputParameters()) {
            boolean given = input.source() == InputSource.SYSTEM_GENERATED
                    && SystemValue.named(input.name()).orElse(null) == SystemValue.FILE_URLS;
            Object value = run.inputs().get(input.name());
            List<?> values = value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
            for (Object one : values) {
                if (one instanceof String url && (url.startsWith("s3://") || given) && isUrl.test(url)) {
                    fetched.merge(url, given, Boolean::logicalOr);
                }
            }
        }
        run.files().forEach(url -> fetched.put(url, true));
        return fetched.entrySet().stream()
                .map(file -> new AttachedFile(file.getKey(), file.getValue()))
                .toList();
    }
}
