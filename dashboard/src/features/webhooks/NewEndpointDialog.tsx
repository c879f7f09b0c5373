import { useForm } from "@mantine/form";
import { useCreateEndpoint } from "../../api";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { useGoTo } from "../../components/PageLink";
import { EndpointFields, type EndpointValues } from "./EndpointFields";
import { EVENT_TYPES } from "./eventTypes";

interface Props {
  opened: boolean;
  onClose: () => void;
}

export function NewEndpointDialog(props: Props) {
  return (
    <EntryModal opened={props.opened} onClose={props.onClose} title="Add endpoint">
      <Fields />
    </EntryModal>
  );
}

function Fields() {
  const goTo = useGoTo();
  const form = useForm<EndpointValues>({
    initialValues: { url: "", description: "", event_types: [...EVENT_TYPES] },
  });
  const create = useCreateEndpoint({
    done: "Endpoint added. Send a test event to check it.",
    // In place of the dialog, which Back would open again.
    onSuccess: ({ id }) => goTo(`webhooks/endpoints/${id}`, { replace: true }),
  });
  return (
    <Form form={form} mutation={create} action="Add endpoint">
      <EndpointFields form={form} />
    </Form>
  );
}
