import CodeEditor from "../../components/CodeEditor";
import { Text } from "@mantine/core";
import { formattedJson } from "../../components/json";
import { jsonError } from "./jsonError";

interface Props {
  raw: unknown;
  /** Text that cannot be parsed, as it was typed. */
  broken: string | null;
  onChange: (raw: unknown) => void;
  onBroken: (text: string | null) => void;
}

/** The document as text. Valid JSON is applied immediately; invalid JSON is kept until it is corrected or discarded. */
export default function JsonView({ raw, broken, onChange, onBroken }: Props) {
  const edit = (next: string) => {
    try {
      const value: unknown = JSON.parse(next);
      onBroken(null);
      if (JSON.stringify(raw) !== JSON.stringify(value)) {
        onChange(value);
      }
    } catch {
      onBroken(next);
    }
  };
  return (
    <div>
      <CodeEditor
        label="Agent as JSON"
        language="json"
        value={broken ?? JSON.stringify(raw, null, 2)}
        isSame={sameJson}
        onChange={edit}
        height="max(420px, calc(100dvh - 290px))"
      />
      <Text size="sm" mt={4} c={broken === null ? "dimmed" : "var(--mantine-color-error)"} role="status">
        {broken === null ? "Changes appear in the graph immediately." : `Invalid JSON: ${jsonError(broken)}`}
      </Text>
    </div>
  );
}

/** Whether two texts have the same value, so that typing spaces does not format the text. */
const sameJson = (a: string, b: string) => formattedJson(a) === formattedJson(b);
