package dev.parley.reader.render;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Replaces Arabic letters by the presentation forms that join them to their neighbours. */
final class ArabicForms {
    private static final List<String> FORMS = List.of(" ISOLATED FORM", " FINAL FORM", " INITIAL FORM", " MEDIAL FORM");
    private static final int ISOLATED = 0;
    private static final int FINAL = 1;
    private static final int INITIAL = 2;
    private static final int MEDIAL = 3;

    private static final char LAM = '\u0644';
    private static final char TATWEEL = '\u0640';
    private static final char NON_JOINER = '\u200C';
    private static final char JOINER = '\u200D';

    /** The forms of each letter, and of lam followed by an alef, by what they are forms of. */
    private static final Map<String, char[]> PRESENTATION = presentation();

    private ArabicForms() {}

    private static Map<String, char[]> presentation() {
        Map<String, char[]> all = new HashMap<>();
        for (char c = '\uFB50'; c <= '\uFEFC'; c++) {
            String name = String.valueOf(Character.getName(c));
            String letters = Normalizer.normalize(String.valueOf(c), Normalizer.Form.NFKC);
            boolean ligature = letters.length() == 2 && letters.charAt(0) == LAM && c >= '\uFEF5';
            for (int form = ISOLATED; form <= MEDIAL; form++) {
                if (name.endsWith(FORMS.get(form)) && (letters.length() == 1 || ligature)) {
                    all.computeIfAbsent(letters, _ -> new char[4])[form] = c;
                }
            }
        }
        return all;
    }

    /** The text in its order, with letters in their forms and without joiners. */
    static String shape(String text) {
        var shaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int next = neighbour(text, i, 1);
            String ligature = c == LAM && next >= 0 ? "" + c + text.charAt(next) : "";
            if (PRESENTATION.containsKey(ligature)) {
                boolean joined = joinsForward(text, neighbour(text, i, -1));
                // Marks between the two letters stay, behind the ligature.
                shaped.append(form(ligature, joined, false)).append(text, i + 1, next);
                i = next;
            } else if (PRESENTATION.containsKey(String.valueOf(c))) {
                boolean joined = joinsForward(text, neighbour(text, i, -1));
                shaped.append(form(String.valueOf(c), joined, joinsBackward(text, next)));
            } else if (c != JOINER && c != NON_JOINER) {
                shaped.append(c);
            }
        }
        return shaped.toString();
    }

    private static char form(String letters, boolean toPrevious, boolean toNext) {
        char[] forms = PRESENTATION.getOrDefault(letters, new char[4]);
        boolean previous = toPrevious && forms[FINAL] != 0;
        boolean next = toNext && forms[INITIAL] != 0;
        char form = forms[previous ? (next ? MEDIAL : FINAL) : (next ? INITIAL : ISOLATED)];
        return form == 0 ? letters.charAt(0) : form;
    }

    /** The next letter in a direction, beyond marks; -1 if there is none. */
    private static int neighbour(String text, int index, int step) {
        int i = index + step;
        while (i >= 0 && i < text.length() && Character.getType(text.charAt(i)) == Character.NON_SPACING_MARK) {
            i += step;
        }
        return i < text.length() ? i : -1;
    }

    private static boolean joinsForward(String text, int index) {
        return joins(text, index, INITIAL);
    }

    private static boolean joinsBackward(String text, int index) {
        return joins(text, index, FINAL);
    }

    private static boolean joins(String text, int index, int form) {
        if (index < 0) {
            return false;
        }
        char c = text.charAt(index);
        char @Nullable [] forms = PRESENTATION.get(String.valueOf(c));
        return c == TATWEEL || c == JOINER || (forms != null && forms[form] != 0);
    }
}
