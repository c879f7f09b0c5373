import { useState } from "react";
import CodeEditor from "../../parts/CodeEditor";
import { Text } from "@mantine/core";

/** The document as text. What can be read is taken over at once; what cannot stays here until it can. */
export default function JsonView({ raw, onChange }: { raw: unknown; onChange: (raw: unknown) => void }) {
  const [text, setText] = useState(() => JSON.stringify(raw, null, 2));
  const [fault, setFault] = useState<string | null>(null);

  const shown = same(text, raw) ? text : JSON.stringify(raw, null, 2);

  const edit = (next: string) => {
    setText(next);
    try {
      const value: unknown = JSON.parse(next);
      setFault(null);
      if (!same(JSON.stringify(raw), value)) {
        onChange(value);
      }
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
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
      <Text size="sm" mt={4} c={fault ? "var(--mantine-color-error)" : "dimmed"} role="status">
        {fault ? `Not JSON yet: ${fault}` : "Changes show in the graph at once."}
      </Text>
    </div>
  );
}

/** Whether a text says what a value is; a text that is no JSON is still being written. */
function same(text: string, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return true;
  }
}
