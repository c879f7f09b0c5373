import { Button, Group, Stack, type ButtonProps } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ErrorNotice } from "./ErrorNotice";

interface Props {
  /** The mutation that the form leads to. */
  sending: { isPending: boolean; error: unknown };
  onSubmit: () => void;
  /** What the button says. */
  action: string;
  /** JSON pointers of the faults that stand at the form's fields. */
  shown?: string[];
  button?: Pick<ButtonProps, "color" | "disabled">;
  /** Another button, before the form's own. */
  beside?: ReactNode;
  children: ReactNode;
}

/** Fields, above them what went wrong with none of them, and below the button that sends. */
export function Form({ sending, onSubmit, action, shown, button, beside, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <ErrorNotice error={sending.error} shown={shown} />
        {children}
        <Group justify="flex-end">
          {beside}
          <Button type="submit" loading={sending.isPending} {...button}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
