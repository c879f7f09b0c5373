import { Button, Group, Stack, type ButtonProps } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ErrorNotice } from "./ErrorNotice";

interface Props {
  /** The mutation that submitting starts. */
  mutation: { isPending: boolean; error: unknown };
  onSubmit: () => void;
  /** The label of the submit button. */
  action: string;
  /** JSON pointers whose errors the form shows at its fields. */
  fieldPaths?: string[];
  button?: Pick<ButtonProps, "color" | "disabled">;
  /** A button to the left of the submit button. */
  secondaryAction?: ReactNode;
  children: ReactNode;
}

/** A form with its submit button; errors that belong to no field appear at the top. */
export function Form({ mutation, onSubmit, action, fieldPaths, button, secondaryAction, children }: Props) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <ErrorNotice error={mutation.error} fieldPaths={fieldPaths} />
        {children}
        <Group justify="flex-end">
          {secondaryAction}
          <Button type="submit" loading={mutation.isPending} {...button}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
