import { Select, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { api, ask } from "../../api/client";
import { faultsOf } from "../../api/problem";
import { Form } from "../../parts/Form";
import { queryClient } from "../../queryClient";

type Language = "javascript" | "python";

/** What new code begins with, so that it runs as it is. */
const BEGINNINGS: Record<Language, string> = {
  javascript: `// Gets the task's inputs by name, answers its outputs by name.
export default function main(inputs) {
  return { result: \`Hello \${inputs.name}\` };
}
`,
  python: `# Gets the task's inputs by name, answers its outputs by name.
def main(inputs):
    return {"result": "Hello " + str(inputs.get("name"))}
`,
};

export function NewArtifact({ orgId }: { orgId: string }) {
  const [name, setName] = useState("");
  const [language, setLanguage] = useState<Language>("javascript");
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/code-artifacts", {
          params: { path: { orgId } },
          body: { name: name.trim(), language, source: BEGINNINGS[language] },
        }),
      ),
    onSuccess: async (made) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "code-artifacts"] });
      void navigate(`/organizations/${orgId}/code/${made.id}`, { replace: true });
    },
  });
  const { at } = faultsOf(create.error);
  return (
    <Form sending={create} onSubmit={() => create.mutate()} action="Create" shown={["/name", "/language"]}>
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
