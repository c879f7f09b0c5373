import { FileInput, Modal, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { findAgents, useCreateDraft, useOrganizationId } from "../../api";
import { Form } from "../../components/Form";
import { useGoTo } from "../../components/PageLink";
import { truncate } from "../../components/truncate";
import { freeName, parseAgent } from "./importedAgent";

/** Creates an agent from an exported definition, which may be invalid. */
export function ImportAgentDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Import agent">
      <ImportForm />
    </Modal>
  );
}

const MAX_SEARCH = 100;

/** The names of agents that contain the words of a name. */
async function similarNames(orgId: string, name: string): Promise<string[]> {
  const items = await findAgents(orgId, truncate(name, MAX_SEARCH));
  return items.map((each) => each.name);
}

function ImportForm() {
  const orgId = useOrganizationId();
  const goTo = useGoTo();
  const form = useForm({ initialValues: { name: "", file: null as File | null } });
  const reading = useMutation({
    mutationFn: async (file: File) => {
      const document = parseAgent(file.name, await file.text());
      const original = typeof document.name === "string" ? document.name.trim() : "";
      const name = original && freeName(original, await similarNames(orgId, original));
      return { document, original, name };
    },
    onSuccess: ({ name }) => form.setFieldValue("name", name),
  });
  const create = useCreateDraft({
    // The button is disabled until a file is read.
    toDocument: ({ name }: typeof form.values) => {
      const { document } = reading.data!;
      return name.trim() ? { ...document, name: name.trim() } : document;
    },
    onCreated: ({ id }) => goTo(`agents/${id}`, { replace: true }),
  });
  const read = reading.data;
  return (
    <Form form={form} mutation={create} action="Import" button={{ disabled: !read }}>
      <FileInput
        label="File"
        description="An agent that was exported as JSON."
        placeholder="Choose a file"
        accept="application/json,.json"
        data-autofocus
        value={form.values.file}
        error={reading.error?.message}
        // Otherwise choosing the same file again, after it was corrected, would not be a change.
        fileInputProps={{ onClick: (event) => (event.currentTarget.value = "") }}
        onChange={(file) => {
          create.reset();
          reading.reset();
          form.setFieldValue("file", file);
          if (file) {
            reading.mutate(file);
          }
        }}
      />
      {read && (
        <TextInput
          label="Name"
          description={
            read.name === read.original
              ? undefined
              : `An agent named “${read.original}” exists already, so this one gets another name.`
          }
          maxLength={200}
          {...form.getInputProps("name")}
        />
      )}
    </Form>
  );
}
