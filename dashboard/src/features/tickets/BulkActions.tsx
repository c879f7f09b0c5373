import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import type { Assignee } from "../../components/AssigneePicker";
import { ErrorNotice } from "../../components/ErrorNotice";
import { focusTicket } from "./ticketFocus";
import { ReassignDialog } from "./ReassignDialog";
import { refreshTicketLists } from "./useTicketRefresh";
import classes from "./tickets.module.css";

/** The most tickets that one request may change. */
export const MAX_SELECTED = 100;

interface Props {
  orgId: string;
  selected: Schemas["TicketSummary"][];
  /** Replaces the selection. */
  onSelect: (ids: string[]) => void;
}

/** Claims or reassigns the selected tickets. Those that could not be changed stay selected. */
export function BulkActions({ orgId, selected, onSelect }: Props) {
  const [reassigning, setReassigning] = useState(false);
  const ticket_ids = selected.map(({ id }) => id);
  const params = { path: { orgId } };
  const change = useMutation({
    mutationFn: (to: Assignee | null) =>
      unwrap(
        to
          ? api.POST("/dashboard/api/organizations/{orgId}/tickets/reassign", {
              params,
              body: { ticket_ids, ...to },
            })
          : api.POST("/dashboard/api/organizations/{orgId}/tickets/claim", { params, body: { ticket_ids } }),
      ),
    onSuccess: ({ results }, to) => {
      const failed = results.filter(({ succeeded }) => !succeeded);
      const done = results.length - failed.length;
      const numbers = new Map(selected.map(({ id, number }) => [id, number]));
      if (done > 0) {
        notifications.show({ message: `${count(done)} ${to ? "reassigned" : "claimed"}.` });
      }
      for (const { ticket_id, detail } of failed.slice(0, 3)) {
        notifications.show({ color: "red", message: `#${numbers.get(ticket_id)}: ${detail}` });
      }
      if (failed.length > 3) {
        notifications.show({
          color: "red",
          message: `${count(failed.length - 3)} more couldn’t be changed.`,
        });
      }
      onSelect(failed.map(({ ticket_id }) => ticket_id));
      setReassigning(false);
      if (failed.length === 0) {
        // The buttons disappear with the selection.
        focusTicket(results[0]?.ticket_id);
      }
    },
    onSettled: () => refreshTicketLists(orgId),
  });
  return (
    <>
      <Group className={classes.bar} gap="xs" role="toolbar" aria-label="Selected tickets">
        <Text size="sm" fw={600} aria-live="polite">
          {selected.length} selected
        </Text>
        <Button size="xs" loading={change.isPending && !change.variables} onClick={() => change.mutate(null)}>
          Claim {count(selected.length)}
        </Button>
        <Button size="xs" variant="default" onClick={() => setReassigning(true)}>
          Reassign {count(selected.length)}
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={() => onSelect([])}>
          Clear selection
        </Button>
      </Group>
      {!reassigning && <ErrorNotice error={change.error} />}
      <ReassignDialog
        title={`Reassign ${count(selected.length)}`}
        mutation={change}
        opened={reassigning}
        onClose={() => setReassigning(false)}
      />
    </>
  );
}

const count = (tickets: number) => (tickets === 1 ? "1 ticket" : `${tickets} tickets`);
