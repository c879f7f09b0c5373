import { Switch } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client";
import { isConflict, useConflict } from "../../api/conflict";
import { ConflictDialog } from "../../components/ConflictDialog";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { EndpointFields, type EndpointValues } from "./EndpointFields";
import { ENDPOINT, readEndpoint, refreshEndpoints, type Endpoint } from "./endpointQueries";

interface Props {
  orgId: string;
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

function Fields({ orgId, endpoint, onClose }: Props) {
  // The page goes on polling, but the form changes the version that it was opened with.
  const [edited] = useState(endpoint);
  const path = { orgId, endpointId: edited.id };
  const form = useForm<Values>({ initialValues: valuesOf(edited) });
  const conflict = useConflict(
    ["organization", orgId, "webhook-endpoints", "latest", edited.id],
    edited,
    () => readEndpoint(orgId, edited.id),
    { etag: edited.etag, changedAt: edited.updated_at },
    (theirs) => ({ by: theirs.updated_by, at: theirs.updated_at }),
  );
  const save = useMutation({
    mutationFn: ({ etag = edited.etag, ...values }: Values & { etag?: string }) =>
      unwrap(
        api.PATCH(ENDPOINT, {
          params: { path, header: { "If-Match": etag } },
          body: { ...values, url: values.url.trim(), description: values.description.trim() },
        }),
      ),
    onSuccess: async () => {
      notifications.show({ message: "Endpoint updated." });
      await refreshEndpoints(orgId);
      onClose();
    },
    onError: (error) => {
      if (isConflict(error)) {
        void conflict.refused();
      }
    },
  });
  const { theirs, change, open } = conflict;
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
        change={open ? change : null}
        texts={open && theirs ? { mine: textOf(form.values), theirs: textOf(valuesOf(theirs)) } : null}
        onKeepMine={() => {
          if (theirs) {
            save.mutate({ ...form.values, etag: theirs.etag });
          }
          conflict.close();
        }}
        onTakeTheirs={() => {
          conflict.close();
          void refreshEndpoints(orgId);
          onClose();
        }}
        onClose={conflict.close}
      />
    </>
  );
}
