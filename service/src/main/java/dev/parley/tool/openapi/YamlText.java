package dev.parley.tool.openapi;

import dev.parley.http.json.StrictJson;
import dev.parley.tool.source.SchemaTree;
import dev.parley.tool.source.ToolFailure;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Reads YAML 1.2 as a tree of JSON values. Only true, false, null and plain numbers are not text: {@code on} and dates
 * stay what was written, and so do numbers that would lose something, such as leading zeros. Merge keys count as in YAML
 * 1.1. Of a key that occurs twice the last value counts, with a warning.
 */
final class YamlText {
    private static final long HEAP = Runtime.getRuntime().maxMemory();

    /** The parser needs 300 bytes for each part. */
    private static final int MAX_PARTS = (int) Math.min(800_000, HEAP / 700);

    private static final int MAX_NODES = (int) Math.min(2_000_000, HEAP / 280);

    /** The number of nodes limits what aliases repeat. */
    private static final int MAX_ALIASES = 10_000;

    private static final int MAX_DIGITS = 400;
    private static final int MAX_WARNINGS = 20;
    private static final int MAX_SHOWN_LENGTH = 60;

    /** Characters, in all attempts to read a text with tabs. */
    private static final long MAX_READ = 50_000_000;

    private final List<String> warnings;
    /** The collections that aliases repeat. */
    private final IdentityHashMap<Node, Converted> converted = new IdentityHashMap<>();

    private int nodes;

    /** @param nodes all that a value has */
    private record Converted(@Nullable Object value, int nodes) {}

    private YamlText(List<String> warnings) {
        this.warnings = warnings;
    }

    /** @param warnings receives sentences about repeated keys */
    static @Nullable Object read(String text, int maxLength, List<String> warnings) throws ToolFailure {
        if (text.chars().filter(c -> "\n,[{".indexOf(c) >= 0).count() > MAX_PARTS) {
            throw OpenApiDescription.invalid("it is too large");
        }
        try {
            Node root = composed(text, maxLength);
            return root == null ? null : new YamlText(warnings).plain(root, "", 0);
        } catch (YamlEngineException | StackOverflowError _) {
            throw OpenApiDescription.invalid("it is neither valid JSON nor valid YAML");
        }
    }

    /**
     * The parser does not accept tabs between tokens, as YAML does and people write them. Where it stops at one, that
     * tab is no part of a value and becomes a space.
     */
    private static @Nullable Node composed(String text, int maxLength) {
        String tried = text;
        boolean hasMarks = false;
        for (long left = MAX_READ; ; left -= text.length()) {
            LoadSettings settings = LoadSettings.builder()
                    .setSchema(new CoreSchema())
                    .setCodePointLimit(maxLength)
                    .setMaxAliasesForCollections(MAX_ALIASES)
                    .setUseMarks(hasMarks)
                    .build();
            try {
                return new Compose(settings).composeString(tried).orElse(null);
            } catch (YamlEngineException failed) {
                if (left < 0 || tried.indexOf('\t') < 0) {
                    throw failed;
                }
                tried = hasMarks ? withoutTabs(tried, failed) : tried;
                hasMarks = true;
            }
        }
    }

    /** Replaces the tabs at the place of the failure; those that indent a block stay forbidden. */
    private static String withoutTabs(String text, YamlEngineException failed) {
        int index = failed instanceof MarkedYamlEngineException marked
                ? marked.getProblemMark().map(Mark::getIndex).orElse(0)
                : 0;
        int start = text.offsetByCodePoints(0, Math.min(index, text.codePointCount(0, text.length())));
        int end = start;
        while (end < text.length() && (text.charAt(end) == '\t' || text.charAt(end) == ' ')) {
            end++;
        }
        boolean isIndent =
                text.substring(text.lastIndexOf('\n', start - 1) + 1, start).isBlank()
                        && end < text.length()
                        && "\r\n#".indexOf(text.charAt(end)) < 0
                        && !text.stripLeading().startsWith("{");
        if (end == start || isIndent) {
            throw failed;
        }
        return text.substring(0, start) + " ".repeat(end - start) + text.substring(end);
    }

    private @Nullable Object plain(Node node, String key, int depth) throws ToolFailure {
        if (depth > StrictJson.MAX_DEPTH) {
            throw OpenApiDescription.invalid("it is nested too deeply");
        }
        Converted known = converted.get(node);
        nodes += known == null ? 1 : known.nodes;
        if (nodes > MAX_NODES) {
            throw OpenApiDescription.invalid("it is too large");
        }
        if (known != null) {
            return known.value;
        }
        int before = nodes - 1;
        Object value =
                switch (node) {
                    case MappingNode mapping -> members(mapping, key, depth);
                    case SequenceNode sequence -> {
                        List<@Nullable Object> items = new ArrayList<>();
                        for (Node item : sequence.getValue()) {
                            items.add(plain(item, key, depth + 1));
                        }
                        yield items;
                    }
                    case ScalarNode scalar -> value(scalar);
                    default -> throw OpenApiDescription.invalid("it is neither valid JSON nor valid YAML");
                };
        if (node.getAnchor().isPresent() && !(node instanceof ScalarNode)) {
            converted.put(node, new Converted(value, nodes - before));
        }
        return value;
    }

    private Map<String, @Nullable Object> members(MappingNode mapping, String parent, int depth) throws ToolFailure {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        List<Node> merged = new ArrayList<>();
        for (NodeTuple member : mapping.getValue()) {
            if (!(member.getKeyNode() instanceof ScalarNode scalar)) {
                throw OpenApiDescription.invalid("a key in '" + shown(parent) + "' is not a text");
            }
            String key = scalar.getValue();
            if (key.equals("<<") && scalar.isPlain()) {
                merged.add(member.getValueNode());
                continue;
            }
            if (members.containsKey(key) && warnings.size() < MAX_WARNINGS) {
                warnings.add(
                        "The key '" + shown(key) + "' occurs twice in '" + shown(parent) + "'; the last one counts.");
            }
            members.put(key, plain(member.getValueNode(), key, depth + 1));
        }
        for (Node source : merged) {
            merge(source, members, parent, depth);
        }
        return members;
    }

    private static String shown(String key) {
        return SchemaTree.shortened(key, MAX_SHOWN_LENGTH).replace('\n', ' ');
    }

    /** Adds the members of one or several mappings; those that exist are kept. */
    private void merge(Node source, Map<String, @Nullable Object> members, String parent, int depth)
            throws ToolFailure {
        if (++nodes > MAX_NODES || depth > StrictJson.MAX_DEPTH) {
            throw OpenApiDescription.invalid("it is too large");
        }
        if (source instanceof SequenceNode several) {
            for (Node one : several.getValue()) {
                merge(one, members, parent, depth + 1);
            }
        } else if (plain(source, parent, depth + 1) instanceof Map<?, ?> more) {
            more.forEach((key, value) -> members.putIfAbsent(String.valueOf(key), value));
        }
    }

    private static @Nullable Object value(ScalarNode scalar) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.NULL)) {
            return null;
        }
        if (tag.equals(Tag.BOOL)) {
            return Boolean.parseBoolean(text);
        }
        boolean isNumber = (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) && text.length() <= MAX_DIGITS;
        return isNumber ? number(text) : text;
    }

    /** The number; the text itself if the number would not keep all of it. */
    private static Object number(String text) {
        String unsigned = text.replaceFirst("^[-+]", "");
        try {
            if (unsigned.startsWith("0x") || unsigned.startsWith("0o")) {
                return narrowed(new BigInteger(unsigned.substring(2), unsigned.charAt(1) == 'x' ? 16 : 8));
            }
            if (unsigned.matches("0[0-9].*") || text.startsWith("+")) {
                return text;
            }
            if (unsigned.matches("[0-9]+")) {
                return narrowed(new BigInteger(text));
            }
            BigDecimal number = new BigDecimal(text);
            return Math.abs((long) number.scale()) > MAX_DIGITS ? text : number;
        } catch (NumberFormatException _) {
            return text; // Infinite, or no number.
        }
    }

    private static Object narrowed(BigInteger number) {
        if (number.bitLength() < Integer.SIZE) {
            return number.intValue();
        }
        return number.bitLength() < Long.SIZE ? (Object) number.longValue() : number;
    }
}
