import { notifications } from "@mantine/notifications";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, type QueryKey } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { SecondaryButton } from "./variants";
import { queryClient } from "../api";
import { ConfirmDialog } from "./ConfirmDialog";
import { MoreMenu, MenuItem } from "./MoreMenu";

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
  /** Keeps the action away from a primary button, in a menu. */
  inMenu?: boolean;
  /** Further items of the menu. */
  menuItems?: ReactNode;
}

/** Deletes the item of a page after a confirmation, then opens the list. */
export function DeleteButton(props: Props) {
  const { name, action, consequence, children, remove, listPath, listKey, inMenu = false, menuItems } = props;
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      notifications.show({ message: `“${name}” deleted.` });
      // The page may still be shown for a moment; refetching what it shows would give 404. The list loads when it opens.
      await queryClient.invalidateQueries({ queryKey: listKey, refetchType: "none" });
      await navigate(listPath, { replace: true });
    },
  });
  return (
    <>
      {inMenu ? (
        <MoreMenu>
          {menuItems}
          <MenuItem icon={IconTrash} label={`${action}…`} danger onClick={() => setConfirming(true)} />
        </MoreMenu>
      ) : (
        <SecondaryButton onClick={() => setConfirming(true)}>Delete</SecondaryButton>
      )}
      <ConfirmDialog
        opened={confirming}
        title={`Delete “${name}”?`}
        action={action}
        mutation={removing}
        onConfirm={() => removing.mutate()}
        onClose={() => setConfirming(false)}
      >
        {consequence}
        {confirming && children}
      </ConfirmDialog>
    </>
  );
}
