import { ActionIcon } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPrinter } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { Schemas } from "../../api/client";
import { queryClient } from "../../queryClient";
import { runLogQuery, runQuery } from "../runs/queries";
import { stepsBefore } from "./stepsBefore";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
}

/** Prints the ticket after loading the outputs of the earlier steps, which the browser's own command cannot wait for. */
export function PrintButton({ orgId, ticket }: Props) {
  const print = useMutation({
    mutationFn: async () => {
      const run = await queryClient.ensureQueryData(runQuery(orgId, ticket.workflow_instance_id));
      if (stepsBefore(run.tasks, ticket).length > 0) {
        await queryClient.ensureQueryData(runLogQuery(orgId, run));
      }
    },
    onSuccess: () => window.print(),
    onError: (error) =>
      notifications.show({ title: "Couldn’t load the earlier steps", message: error.message, color: "red" }),
  });
  return (
    <ActionIcon
      variant="default"
      size={30}
      aria-label="Print"
      title="Print"
      loading={print.isPending}
      onClick={() => print.mutate()}
    >
      <IconPrinter size={16} />
    </ActionIcon>
  );
}
