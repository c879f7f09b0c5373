import { Switch, TagsInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { changeOrganization, isConflict, queryClient, useChange, type Schemas, type Tagged } from "../../api";
import { Form } from "../../components/Form";
import { useUnsavedChanges } from "../../components/leaveGuard";

const textOf = (models: string[] | null) => models?.join("\n") ?? null;

/** The operator's list of the models that an organization may use. */
export function AllowedModels({ organization }: { organization: Tagged<Schemas["Organization"]> }) {
  const stored = organization.allowed_models;
  const form = useForm({
    initialValues: { isHeld: stored !== null, allowed_models: stored ?? ["default"] },
    transformValues: ({ isHeld, allowed_models: models }) => ({ allowed_models: isHeld ? models : null }),
  });
  const save = useChange({
    send: (values: { allowed_models: string[] | null }) =>
      changeOrganization(organization.id, values, organization.etag),
    done: "Allowed models updated.",
    outdated: [[]],
    onError: (error) => isConflict(error) && void queryClient.invalidateQueries(),
  });
  const dirty = textOf(form.getTransformedValues().allowed_models) !== textOf(stored);
  useUnsavedChanges(dirty);
  return (
    <Form form={form} mutation={save} action="Save models" button={{ disabled: !dirty }}>
      <Switch label="Allow only these models" {...form.getInputProps("isHeld", { type: "checkbox" })} />
      {form.values.isHeld && (
        <TagsInput
          label="Models"
          description="“default” for the installation’s model, a provider’s host for all its models, or host/model."
          placeholder="api.openai.com"
          maxTags={100}
          {...form.getInputProps("allowed_models")}
        />
      )}
    </Form>
  );
}
