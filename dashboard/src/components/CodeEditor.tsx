import type { CompletionSource } from "@codemirror/autocomplete";
import { javascript } from "@codemirror/lang-javascript";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { forceLinting, linter, lintGutter } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, Prec } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { useComputedColorScheme } from "@mantine/core";
import { basicSetup, EditorView } from "codemirror";
import { useEffect, useRef } from "react";
import { marksOf, marksChanged, syntaxErrors, type RunError } from "./codeMarks";
import { completeNames, type CodeLanguage, type DeclaredNames } from "./declaredNames";

const HIGHLIGHTING = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.bool, tags.null], color: "var(--code-word)" },
    { tag: [tags.string, tags.special(tags.string)], color: "var(--code-text)" },
    { tag: tags.number, color: "var(--code-number)" },
    { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
    { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "var(--code-name)" },
  ]),
);
const DARK = EditorView.theme(
  {
    "&": { color: "var(--code-dark-fg)", backgroundColor: "var(--code-dark-bg)" },
    ".cm-gutters": {
      color: "var(--code-dark-gutter)",
      backgroundColor: "var(--code-dark-bg)",
      border: "none",
    },
    ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--code-dark-line)" },
    ".cm-cursor": { borderLeftColor: "white" },
    "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
      backgroundColor: "var(--code-dark-selection)",
    },
  },
  { dark: true },
);

interface Props {
  label: string;
  value: string;
  language: "json" | CodeLanguage;
  height?: string;
  readOnly?: boolean;
  /** Whether two texts mean the same, so that the editor keeps the one that was typed. */
  isSame?: (shown: string, value: string) => boolean;
  /** The names that the editor completes. */
  names?: DeclaredNames;
  /** An error that running the code has found. */
  error?: RunError | null;
  onChange?: (value: string) => void;
}

const LANGUAGES = {
  json: () => [json(), linter(jsonParseLinter()), lintGutter()],
  javascript: () => [javascript(), linter(syntaxErrors), lintGutter()],
  python: () => [python(), linter(syntaxErrors), lintGutter()],
};

/** The page runs the code on this key, for which CodeMirror would insert a line. */
const RUN_KEY = Prec.highest(
  EditorView.domEventHandlers({
    keydown: (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey),
  }),
);

/** Completes by this source besides the language's own sources. */
const completion = (source: CompletionSource) =>
  EditorState.languageData.of(() => [{ autocomplete: source }]);

/** Marks updates that show a new value. Reporting them as changes could undo a newer one, such as a restored draft. */
const isOwnUpdate = Annotation.define<boolean>();

/** The CodeMirror editor. Import it lazily: it is the largest chunk. */
export default function CodeEditor({
  label,
  value,
  language,
  height = "420px",
  readOnly = false,
  isSame,
  names,
  error,
  onChange,
}: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const themeSlot = useRef(new Compartment());
  const latest = useRef({ onChange, names, error });
  const dark = useComputedColorScheme("light") === "dark";

  useEffect(() => {
    latest.current = { onChange, names, error };
  }, [onChange, names, error]);

  useEffect(() => {
    const editor = new EditorView({
      parent: holder.current!,
      state: EditorState.create({
        extensions: [
          basicSetup,
          LANGUAGES[language](),
          // Lines of code keep their shape and scroll sideways.
          ...(language === "json"
            ? [EditorView.lineWrapping]
            : [
                RUN_KEY,
                marksOf(language, () => latest.current),
                completion((context) =>
                  completeNames(context, language, latest.current.names ?? { inputs: [], outputs: [] }),
                ),
              ]),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
          EditorView.theme({ "&": { height, fontSize: "13px" }, ".cm-scroller": { overflow: "auto" } }),
          HIGHLIGHTING,
          themeSlot.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((each) => each.annotation(isOwnUpdate))) {
              latest.current.onChange?.(update.state.doc.toString());
            }
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language, height, readOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: themeSlot.current.reconfigure(dark ? DARK : []) });
  }, [dark, label, language, height, readOnly]);

  useEffect(() => {
    const editor = view.current;
    const shown = editor?.state.doc.toString() ?? "";
    if (editor && shown !== value && !isSame?.(shown, value)) {
      editor.dispatch({
        changes: { from: 0, to: editor.state.doc.length, insert: value },
        annotations: isOwnUpdate.of(true),
      });
    }
  }, [value, isSame, label, language, height, readOnly]);

  const inputNames = names?.inputs.map(({ name }) => name).join("\n");
  useEffect(() => {
    const editor = view.current;
    editor?.dispatch({ effects: marksChanged.of(null) });
    if (editor) {
      forceLinting(editor);
    }
  }, [error?.line, error?.message, inputNames, label, language, height, readOnly]);

  return (
    <div
      ref={holder}
      style={{ border: "1px solid var(--mantine-color-default-border)", borderRadius: 8, overflow: "hidden" }}
    />
  );
}
