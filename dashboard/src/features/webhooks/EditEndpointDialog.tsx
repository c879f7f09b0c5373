import { Switch } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import {
  changeEndpoint,
  isConflict,
  organizationKey,
  readEndpoint,
  refreshEndpoints,
  useChange,
  useConflict,
  useOrganizationId,
  type Endpoint,
} from "../../api";
import { ConflictDialog } from "../../components/ConflictDialog";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { EndpointFields, type EndpointValues } from "./EndpointFields";

interface Props {
  endpoint: Endpoint;
  onClose: () => void;
}

type Values = EndpointValues & { enabled: boolean };

const valuesOf = ({ url, description, event_types, enabled }: Endpoint): Values => ({
  url,
  description,
  event_types,
  enabled,
});

const textOf = ({ url, description, event_types, enabled }: Values) =>
  [
    `URL: ${url}`,
    `Description: ${description}`,
    `Enabled: ${enabled ? "Yes" : "No"}`,
    ...event_types.toSorted().map((type) => `Event: ${type}`),
  ].join("\n");

export function EditEndpointDialog({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <EntryModal opened={opened} onClose={props.onClose} title="Edit endpoint">
      <Fields {...props} />
    </EntryModal>
  );
}

function Fields({ endpoint, onClose }: Props) {
  const orgId = useOrganizationId();
  // The page goes on polling, but the form changes the version that it was opened with.
  const [edited] = useState(endpoint);
  const form = useForm<Values>({ initialValues: valuesOf(edited) });
  const conflict = useConflict(organizationKey(orgId, "webhook-endpoints", "latest", edited.id), edited, () =>
    readEndpoint(orgId, edited.id),
  );
  const save = useChange({
    send: ({ etag = edited.etag, ...values }: Values & { etag?: string }) =>
      changeEndpoint(orgId, edited.id, etag, {
        ...values,
        url: values.url.trim(),
        description: values.description.trim(),
      }),
    done: "Endpoint updated.",
    onSuccess: async () => {
      await refreshEndpoints(orgId);
      onClose();
    },
    onError: conflict.onError,
  });
  return (
    <>
      <Form
        form={form}
        mutation={{ ...save, error: isConflict(save.error) ? null : save.error }}
        action="Save changes"
      >
        <EndpointFields form={form} />
        <Switch
          label="Enabled"
          description="A disabled endpoint receives no events."
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
      </Form>
      <ConflictDialog
        conflict={conflict}
        texts={(theirs) => ({ mine: textOf(form.values), theirs: textOf(valuesOf(theirs)) })}
        onKeepMine={({ etag }) => {
          save.mutate({ ...form.values, etag });
          conflict.close();
        }}
        onTakeTheirs={() => {
          conflict.close();
          void refreshEndpoints(orgId);
          onClose();
        }}
      />
    </>
  );
}
