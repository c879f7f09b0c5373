import { Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap, type Schemas } from "../../api/client";
import { useCodeArtifacts } from "../../api/queries";
import type { CodeLanguage } from "../../components/declaredNames";
import { Form } from "../../components/Form";
import { nameError } from "../../components/nameError";
import { queryClient } from "../../queryClient";
import { starterCode, type CodeShape } from "./starter";

/** The inputs and outputs of code that no task uses yet. */
const EXAMPLE: CodeShape = { inputs: [{ name: "name" }], outputs: [{ name: "result", type: "STRING" }] };

interface Props {
  orgId: string;
  /** The task for which the code is. */
  shape?: CodeShape;
  onCreated: (created: Schemas["CodeArtifact"]) => void;
}

export function NewCodeForm({ orgId, shape = EXAMPLE, onCreated }: Props) {
  const form = useForm({ initialValues: { name: "", language: "javascript" as CodeLanguage } });
  const taken = nameError(useCodeArtifacts(orgId).data, form.values.name);
  const create = useMutation({
    mutationFn: ({ name, language }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/code-artifacts", {
          params: { path: { orgId } },
          body: { name: name.trim(), language, source: starterCode(language, shape) },
        }),
      ),
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "code-artifacts"] });
      onCreated(created);
    },
  });
  return (
    <Form
      form={form}
      mutation={create}
      action="Create"
      button={{ disabled: taken !== undefined && !create.isPending }}
    >
      <TextInput
        label="Name"
        data-autofocus
        required
        {...form.getInputProps("name")}
        error={create.isPending ? undefined : (taken ?? form.errors.name)}
      />
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
