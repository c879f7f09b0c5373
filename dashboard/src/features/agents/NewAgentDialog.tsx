import { Alert, Badge, Group, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useCreateDraft, useIsAdmin, useMe, useTemplates, type Schemas } from "../../api";
import { Strong, DimmedXs } from "../../components/variants";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { useGoTo } from "../../components/PageLink";
import { lazily } from "../../components/lazily";
import { useTemplateDocument } from "./useTemplateDocument";
import classes from "./templates.module.css";

const TemplatePreview = lazily(() => import("./TemplatePreview"));

const BLANK = "blank";
const UNNAMED = "Untitled agent";

/** Creates an agent, empty or from a template. */
export function NewAgentDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <EntryModal opened={opened} onClose={onClose} title="New agent" size={920}>
      <Fields />
    </EntryModal>
  );
}

function Fields() {
  const { data: me } = useMe();
  const goTo = useGoTo();
  const fromTemplate = useTemplateDocument();
  const form = useForm({ initialValues: { name: "", template: BLANK } });
  const { template } = form.values;
  const create = useCreateDraft({
    toDocument: ({ template: chosen, name }: typeof form.values) =>
      chosen === BLANK
        ? emptyDocument(name.trim() || UNNAMED, me?.id ?? "")
        : fromTemplate(chosen, name.trim()),
    onCreated: ({ id }) => goTo(`agents/${id}`, { replace: true }),
  });
  return (
    <Form form={form} mutation={create} action="Create" sticky>
      <TextInput
        label="Name"
        description="Optional. You can change it later."
        data-autofocus
        placeholder={template === BLANK ? UNNAMED : "The name of the template"}
        maxLength={200}
        {...form.getInputProps("name")}
      />
      <Templates value={template} onChange={(id) => form.setFieldValue("template", id)} />
    </Form>
  );
}

function Templates({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const templates = useTemplates();
  const isAdmin = useIsAdmin();
  const all = templates.data?.items ?? [];
  const chosen = all.find((each) => each.id === value);
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((each) => {
    const text = `${each.name} ${each.description} ${each.kinds.join(" ")}`.toLowerCase();
    return each.id === value || words.every((word) => text.includes(word));
  });
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        aria-label="Search templates"
        placeholder="Search templates"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        // Enter would create the agent.
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <Radio.Group label="Start from" value={value} onChange={onChange}>
        <div className={classes.gallery}>
          <TemplateCard id={BLANK} name="Blank agent" description="An empty graph." kinds={[]} />
          {shown.map((each) => (
            <TemplateCard key={each.id} {...each} />
          ))}
        </div>
      </Radio.Group>
      {chosen && <TemplatePreview id={chosen.id} />}
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
            <Strong>{name}</Strong>
            {kinds.map((kind) => (
              <Badge key={kind} size="xs" variant="default">
                {kind}
              </Badge>
            ))}
          </Group>
          <DimmedXs>{description}</DimmedXs>
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
