import { Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import {
  CODE,
  createCode,
  organizationKey,
  useChange,
  useCodeArtifacts,
  useOrganizationId,
  type Schemas,
} from "../../api";
import type { CodeLanguage } from "../../components/declaredNames";
import { Form } from "../../components/Form";
import { nameError } from "../../components/nameError";
import { optionsOf } from "../../components/optionsOf";
import { starterCode, type CodeShape } from "./starter";

/** The inputs and outputs of code that no task uses yet. */
const EXAMPLE: CodeShape = { inputs: [{ name: "name" }], outputs: [{ name: "result", type: "STRING" }] };

interface Props {
  /** The task for which the code is. */
  shape?: CodeShape;
  onCreated: (created: Schemas["CodeArtifact"]) => void;
}

export function NewCodeForm({ shape = EXAMPLE, onCreated }: Props) {
  const orgId = useOrganizationId();
  const form = useForm({ initialValues: { name: "", language: "javascript" as CodeLanguage } });
  const taken = nameError(useCodeArtifacts().data, form.values.name);
  const create = useChange({
    send: ({ name, language }: typeof form.values) =>
      createCode(orgId, { name: name.trim(), language, source: starterCode(language, shape) }),
    onSuccess: onCreated,
    outdated: [organizationKey(orgId, CODE)],
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
        data={optionsOf({ javascript: "JavaScript", python: "Python" })}
        {...form.getInputProps("language")}
      />
    </Form>
  );
}
