import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap } from "../../api/client";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { EndpointFields, type EndpointValues } from "./EndpointFields";
import { refreshEndpoints } from "./endpointQueries";
import { EVENT_TYPES } from "./eventTypes";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
}

export function NewEndpointDialog(props: Props) {
  return (
    <EntryModal opened={props.opened} onClose={props.onClose} title="Add endpoint">
      <Fields orgId={props.orgId} />
    </EntryModal>
  );
}

function Fields({ orgId }: { orgId: string }) {
  const navigate = useNavigate();
  const form = useForm<EndpointValues>({
    initialValues: { url: "", description: "", event_types: [...EVENT_TYPES] },
  });
  const create = useMutation({
    mutationFn: ({ url, description, event_types }: EndpointValues) =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-endpoints", {
          params: { path: { orgId } },
          body: { url: url.trim(), event_types, description: description.trim() },
        }),
      ),
    onSuccess: async ({ id }) => {
      notifications.show({ message: "Endpoint added. Send a test event to check it." });
      // In place of the dialog, which Back would open again.
      await navigate(`/organizations/${orgId}/webhooks/endpoints/${id}`, { replace: true });
      await refreshEndpoints(orgId);
    },
  });
  return (
    <Form form={form} mutation={create} action="Add endpoint">
      <EndpointFields form={form} />
    </Form>
  );
}
