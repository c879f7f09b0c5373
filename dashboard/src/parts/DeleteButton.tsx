import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, type QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { queryClient } from "../queryClient";
import { Confirm } from "./Confirm";

interface Props {
  /** Its name. */
  what: string;
  action: string;
  /** What follows from it. */
  consequence: string;
  remove: () => Promise<unknown>;
  /** The list that it stood in, where the person goes then. */
  list: string;
  listKey: QueryKey;
}

/** Deletes what a page shows, when the person has confirmed it, and leads to the list. */
export function DeleteButton({ what, action, consequence, remove, list, listKey }: Props) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      notifications.show({ message: `“${what}” is deleted.` });
      await navigate(list, { replace: true });
      await queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Delete
      </Button>
      <Confirm
        opened={asking}
        title={`Delete “${what}”?`}
        action={action}
        sending={removing}
        onConfirm={() => removing.mutate()}
        onClose={() => setAsking(false)}
      >
        <Text size="sm">{consequence}</Text>
      </Confirm>
    </>
  );
}
