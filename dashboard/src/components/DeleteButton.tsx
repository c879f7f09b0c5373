import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, type QueryKey } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { queryClient } from "../queryClient";
import { ConfirmDialog } from "./ConfirmDialog";

interface Props {
  name: string;
  action: string;
  /** The effects of the deletion, for the confirmation dialog. */
  consequence: string;
  /** More about the consequences. */
  children?: ReactNode;
  remove: () => Promise<unknown>;
  /** The list that opens after the deletion. */
  listPath: string;
  listKey: QueryKey;
}

/** Deletes the item of a page after a confirmation, then opens the list. */
export function DeleteButton({ name, action, consequence, children, remove, listPath, listKey }: Props) {
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      notifications.show({ message: `“${name}” deleted.` });
      await navigate(listPath, { replace: true });
      await queryClient.invalidateQueries({ queryKey: listKey });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Delete
      </Button>
      <ConfirmDialog
        opened={confirming}
        title={`Delete “${name}”?`}
        action={action}
        mutation={removing}
        onConfirm={() => removing.mutate()}
        onClose={() => setConfirming(false)}
      >
        <Text size="sm">{consequence}</Text>
        {confirming && children}
      </ConfirmDialog>
    </>
  );
}
