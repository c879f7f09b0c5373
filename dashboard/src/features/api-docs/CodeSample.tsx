import { Group, SegmentedControl } from "@mantine/core";
import { createContext, use } from "react";
import { DimmedXs } from "../../components/variants";
import { CodeBlock } from "../../components/CodeBlock";
import type { Operation } from "./developerApi";
import { LANGUAGES, sampleOf, type Language, type SampleValues } from "./samples";

interface SampleSettings extends SampleValues {
  language: Language;
  setLanguage: (language: Language) => void;
  setKey: (key: string) => void;
  setConversationId: (id: string) => void;
}

/** What the reader chose once for all examples. */
export const SampleContext = createContext<SampleSettings>({
  origin: "",
  key: "",
  workflowId: "",
  conversationId: "",
  language: "curl",
  setLanguage: () => undefined,
  setKey: () => undefined,
  setConversationId: () => undefined,
});

/** The request in the language of the reader. */
export function RequestSample({ operation }: { operation: Operation }) {
  const { language, setLanguage, ...values } = use(SampleContext);
  return (
    <div>
      <Group justify="space-between" mb={6}>
        <DimmedXs fw={600}>Request</DimmedXs>
        <SegmentedControl
          size="xs"
          aria-label={`Language: ${operation.summary}`}
          data={[...LANGUAGES]}
          value={language}
          onChange={(value) => setLanguage(value as Language)}
        />
      </Group>
      <CodeBlock code={sampleOf(operation, language, values)} label={`request: ${operation.summary}`} />
    </div>
  );
}
