import { javascript } from "@codemirror/lang-javascript";
import { json, jsonParseLinter } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { linter, lintGutter } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { oneDark } from "@codemirror/theme-one-dark";
import { useComputedColorScheme } from "@mantine/core";
import { basicSetup, EditorView } from "codemirror";
import { useEffect, useRef } from "react";

/** The usual colours are too pale on white. */
const onWhite = syntaxHighlighting(
  HighlightStyle.define([
    { tag: [tags.keyword, tags.bool, tags.null], color: "#7d1f87" },
    { tag: [tags.string, tags.special(tags.string)], color: "#9a3412" },
    { tag: tags.number, color: "#0b6b34" },
    { tag: tags.comment, color: "#5f6b7a", fontStyle: "italic" },
    { tag: [tags.propertyName, tags.definition(tags.variableName)], color: "#1f4bb8" },
  ]),
);

interface Props {
  label: string;
  value: string;
  language: "json" | "javascript" | "python";
  height?: string;
  readOnly?: boolean;
  onChange?: (value: string) => void;
}

const LANGUAGES = {
  json: () => [json(), linter(jsonParseLinter()), lintGutter()],
  javascript: () => [javascript()],
  python: () => [python()],
};

/** A real editor for code; loaded only where it is needed. */
export default function CodeEditor({
  label,
  value,
  language,
  height = "420px",
  readOnly = false,
  onChange,
}: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const colours = useRef(new Compartment());
  const changed = useRef(onChange);
  const dark = useComputedColorScheme("light") === "dark";

  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);

  useEffect(() => {
    const editor = new EditorView({
      parent: holder.current!,
      state: EditorState.create({
        extensions: [
          basicSetup,
          LANGUAGES[language](),
          EditorView.lineWrapping,
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.theme({ "&": { height, fontSize: "13px" }, ".cm-scroller": { overflow: "auto" } }),
          colours.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) {
              changed.current?.(update.state.doc.toString());
            }
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, language, height, readOnly]);

  useEffect(() => {
    view.current?.dispatch({ effects: colours.current.reconfigure(dark ? oneDark : onWhite) });
  }, [dark, label, language, height, readOnly]);

  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== value) {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    }
  }, [value, label, language, height, readOnly]);

  return (
    <div
      ref={holder}
      style={{ border: "1px solid var(--mantine-color-default-border)", borderRadius: 8, overflow: "hidden" }}
    />
  );
}
