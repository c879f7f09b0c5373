import { Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { fieldErrors } from "../../api/problem";
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

export function NewCodeForm({ orgId }: { orgId: string }) {
  const [name, setName] = useState("");
  const [language, setLanguage] = useState<Language>("javascript");
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/code-artifacts", {
          params: { path: { orgId } },
          body: { name: name.trim(), language, source: TEMPLATES[language] },
        }),
      ),
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "code-artifacts"] });
      void navigate(`/organizations/${orgId}/code/${created.id}`, { replace: true });
    },
  });
  const { at } = fieldErrors(create.error);
  return (
    <Form
      mutation={create}
      onSubmit={() => create.mutate()}
      action="Create"
      fieldPaths={["/name", "/language"]}
    >
      <TextInput
        label="Name"
        data-autofocus
        required
        value={name}
        error={at("/name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label="Language"
        allowDeselect={false}
        data={[
          { value: "javascript", label: "JavaScript" },
          { value: "python", label: "Python" },
        ]}
        value={language}
        error={at("/language")}
        onChange={(value) => setLanguage(value === "python" ? "python" : "javascript")}
      />
    </Form>
  );
}
