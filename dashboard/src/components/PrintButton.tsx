import { ActionIcon } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPrinter } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { MenuItem } from "./MoreMenu";

interface Props {
  /** Loads what is still missing, which the browser's own command cannot wait for. */
  prepare: () => Promise<unknown>;
  /** Without a border, next to a title. */
  subtle?: boolean;
}

function usePrint(prepare: Props["prepare"]) {
  return useMutation({
    mutationFn: prepare,
    onSuccess: () => window.print(),
    onError: (error) =>
      notifications.show({ title: "Couldn’t load all of the page", message: error.message, color: "red" }),
  });
}

/** Prints the page. */
export function PrintButton({ prepare, subtle = false }: Props) {
  const print = usePrint(prepare);
  return (
    <ActionIcon
      {...(subtle ? { variant: "subtle", color: "gray" } : { variant: "default", size: 30 })}
      aria-label="Print"
      title="Print"
      loading={print.isPending}
      onClick={() => print.mutate()}
    >
      <IconPrinter size={subtle ? 18 : 16} />
    </ActionIcon>
  );
}

/** Prints the page, in a menu. */
export function PrintItem({ prepare }: Omit<Props, "subtle">) {
  const print = usePrint(prepare);
  return <MenuItem icon={IconPrinter} label="Print" onClick={() => print.mutate()} />;
}
