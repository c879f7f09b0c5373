import { FileInput, Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { ApiError } from "../../api/problem";
import { useMe } from "../../api/queries";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

/** Creates an empty agent or imports an exported definition, which may be invalid: it becomes a draft. */
export function NewAgentDialog({ orgId, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="New agent">
      <Fields orgId={orgId} />
    </Modal>
  );
}

function Fields({ orgId }: { orgId: string }) {
  const { data: me } = useMe();
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: "", file: null as File | null } });
  const { file } = form.values;
  const create = useMutation({
    mutationFn: async ({ name }: typeof form.values) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/workflows", {
          params: { path: { orgId }, query: { allow_invalid: true } },
          body: file ? await readDocument(file, name.trim()) : emptyDocument(name.trim(), me?.id ?? ""),
        }),
      ),
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
      void navigate(`/organizations/${orgId}/agents/${created.id}`, { replace: true });
    },
  });
  // Errors in the file itself appear at its field.
  const fileError = create.error instanceof ApiError ? undefined : create.error?.message;
  return (
    <Form
      form={form}
      mutation={fileError ? { ...create, error: null } : create}
      action={file ? "Import" : "Create"}
    >
      <TextInput
        label="Name"
        data-autofocus
        required={file === null}
        maxLength={200}
        {...form.getInputProps("name")}
      />
      <FileInput
        label="Import from file"
        description="Optional. A previously exported JSON file."
        placeholder="Choose a file"
        accept="application/json,.json"
        clearable
        {...form.getInputProps("file")}
        error={fileError}
      />
    </Form>
  );
}

function emptyDocument(name: string, userId: string): Record<string, unknown> {
  return {
    name,
    description: "",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: userId }],
    tasks: [],
    connections: [],
    dependencies: [],
  };
}

async function readDocument(file: File, name: string): Promise<Record<string, unknown>> {
  let found: unknown;
  try {
    found = JSON.parse(await file.text());
  } catch (cause) {
    throw new Error(`${file.name} isn’t valid JSON: ${cause instanceof Error ? cause.message : ""}`, {
      cause,
    });
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) {
    throw new Error(`${file.name} must contain a JSON object.`);
  }
  return name ? { ...found, name } : { ...found };
}
