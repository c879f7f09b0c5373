import { CodeBlock } from "./CodeBlock";

/** Formatted JSON with a copy button. */
export function JsonBlock({ value, label }: { value: unknown; label: string }) {
  return <CodeBlock code={JSON.stringify(value, null, 2) ?? "null"} label={label} />;
}
