import {
  Alert,
  Badge,
  FileInput,
  Group,
  Modal,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin } from "../../api/organization";
import { ApiError } from "../../api/problem";
import { useMe } from "../../api/queries";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";
import { useTemplateDocument } from "./useTemplateDocument";
import classes from "./templates.module.css";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

const BLANK = "blank";

/** Creates an agent: empty, from a template, or from an exported definition, which may be invalid. */
export function NewAgentDialog({ orgId, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="New agent" size={920}>
      <Fields orgId={orgId} />
    </Modal>
  );
}

function Fields({ orgId }: { orgId: string }) {
  const { data: me } = useMe();
  const navigate = useNavigate();
  const fromTemplate = useTemplateDocument(orgId);
  const form = useForm({ initialValues: { name: "", template: BLANK, file: null as File | null } });
  const { file, template } = form.values;
  const create = useMutation({
    mutationFn: async (values: typeof form.values) => {
      const name = values.name.trim();
      const body = values.file
        ? await readDocument(values.file, name)
        : values.template === BLANK
          ? emptyDocument(name, me?.id ?? "")
          : await fromTemplate(values.template, name);
      return unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/workflows", {
          params: { path: { orgId }, query: { allow_invalid: true } },
          body,
        }),
      );
    },
    onSuccess: async (created) => {
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "workflows"] });
      void navigate(`/organizations/${orgId}/agents/${created.id}`, { replace: true });
    },
  });
  // Errors in the file itself appear at its field.
  const fileError = file && !(create.error instanceof ApiError) ? create.error?.message : undefined;
  return (
    <Form
      form={form}
      mutation={fileError ? { ...create, error: null } : create}
      action={file ? "Import" : "Create"}
      sticky
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          description="You can change it later."
          data-autofocus
          required={file === null && template === BLANK}
          placeholder={file !== null || template !== BLANK ? "Keep the name" : undefined}
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
      </SimpleGrid>
      {file === null && (
        <Templates orgId={orgId} value={template} onChange={(id) => form.setFieldValue("template", id)} />
      )}
    </Form>
  );
}

interface TemplatesProps {
  orgId: string;
  value: string;
  onChange: (id: string) => void;
}

function Templates({ orgId, value, onChange }: TemplatesProps) {
  const templates = useQuery({
    queryKey: ["organization", orgId, "workflow-templates"],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/workflow-templates", { params: { path: { orgId } } }),
      ),
    staleTime: Infinity,
  });
  const isAdmin = useIsAdmin();
  const chosen = templates.data?.items.find((each) => each.id === value);
  return (
    <Stack gap="xs">
      <Radio.Group label="Start from" value={value} onChange={onChange}>
        <div className={classes.gallery}>
          <TemplateCard id={BLANK} name="Blank agent" description="An empty graph." kinds={[]} />
          {templates.data?.items.map((each) => (
            <TemplateCard key={each.id} {...each} />
          ))}
        </div>
      </Radio.Group>
      {chosen && chosen.needs.length > 0 && (
        <Alert color="blue" title="This template needs" p="xs">
          {chosen.needs.map((need) => (
            <Text size="sm" key={need}>
              {need}
            </Text>
          ))}
          {!isAdmin && chosen.kinds.includes("Coder") && (
            <Text size="sm">Only owners and admins can create code; choose existing code instead.</Text>
          )}
        </Alert>
      )}
    </Stack>
  );
}

type CardProps = Pick<Schemas["WorkflowTemplate"], "id" | "name" | "description" | "kinds">;

function TemplateCard({ id, name, description, kinds }: CardProps) {
  return (
    <Radio.Card value={id} p="xs" aria-label={name}>
      <Group wrap="nowrap" align="flex-start" gap="xs">
        <Radio.Indicator size="xs" mt={3} />
        <div>
          <Group gap={6}>
            <Text size="sm" fw={600}>
              {name}
            </Text>
            {kinds.map((kind) => (
              <Badge key={kind} size="xs" variant="default">
                {kind}
              </Badge>
            ))}
          </Group>
          <Text size="xs" c="dimmed">
            {description}
          </Text>
        </div>
      </Group>
    </Radio.Card>
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
