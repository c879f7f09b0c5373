import { useState } from "react";
import CodeEditor from "../../components/CodeEditor";
import { Text } from "@mantine/core";

/** The document as text. Valid JSON is applied immediately; invalid JSON stays in the editor only. */
export default function JsonView({ raw, onChange }: { raw: unknown; onChange: (raw: unknown) => void }) {
  const [text, setText] = useState(() => JSON.stringify(raw, null, 2));
  const [syntaxError, setSyntaxError] = useState<string | null>(null);

  const shown = same(text, raw) ? text : JSON.stringify(raw, null, 2);

  const edit = (next: string) => {
    setText(next);
    try {
      const value: unknown = JSON.parse(next);
      setSyntaxError(null);
      if (!same(JSON.stringify(raw), value)) {
        onChange(value);
      }
    } catch (error) {
      setSyntaxError(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <div>
      <CodeEditor
        label="Agent as JSON"
        language="json"
        value={shown}
        onChange={edit}
        height="max(420px, calc(100dvh - 290px))"
      />
      <Text size="sm" mt={4} c={syntaxError ? "var(--mantine-color-error)" : "dimmed"} role="status">
        {syntaxError ? `Invalid JSON: ${syntaxError}` : "Changes appear in the graph immediately."}
      </Text>
    </div>
  );
}

/** Whether the text has the given value; invalid JSON counts as unfinished input. */
function same(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return true;
  }
}
