import { Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";

type Language = "javascript" | "python";

/** Templates that run without changes. */
const TEMPLATES: Record<Language, string> = {
  javascript: `// Receives the task's inputs by name and returns its outputs by name.
export default function main(inputs) {
  return { result: \`Hello \${inputs.name}\` };
}
`,
  python: `# Receives the task's inputs by name and returns its outputs by name.
def main(inputs):
    return {"result": "Hello " + str(inputs.get("name"))}
`,
};

interface Props {
  orgId: string;
  onCreated: (created: Schemas["CodeArtifact"]) => void;
}

export function NewCodeForm({ orgId, onCreated }: Props) {
  const form = useForm({ initialValues: { name: "", language: "javascript" as Language } });
  const create = useMutation({
    mutationFn: ({ name, language }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/code-artifacts", {
          params: { path: { orgId } },
          body: { name: name.trim(), language, source: TEMPLATES[language] },
        }),
      ),
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "code-artifacts"] });
      onCreated(created);
    },
  });
  return (
    <Form form={form} mutation={create} action="Create">
      <TextInput label="Name" data-autofocus required {...form.getInputProps("name")} />
      <Select
        label="Language"
        allowDeselect={false}
        data={[
          { value: "javascript", label: "JavaScript" },
          { value: "python", label: "Python" },
        ]}
        {...form.getInputProps("language")}
      />
    </Form>
  );
}
