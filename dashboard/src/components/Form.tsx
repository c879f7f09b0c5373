import { Button, Group, Stack, type ButtonProps } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import type { ReactNode } from "react";
import { errorsByField } from "../api";
import { ErrorNotice } from "./ErrorNotice";

interface Props<Values, Sent> {
  /** Its values have the names of the request's fields, so that errors of the server appear at their inputs. */
  form: Pick<UseFormReturnType<Values, Sent>, "values" | "onSubmit" | "setErrors">;
  /** The mutation that submitting starts. */
  mutation: {
    isPending: boolean;
    error: unknown;
    mutate: (values: Sent, options: { onError: (error: unknown) => void }) => void;
  };
  /** The label of the submit button. */
  action: string;
  button?: Pick<ButtonProps, "color" | "disabled">;
  /** A button to the left of the submit button. */
  secondaryAction?: ReactNode;
  /** Keeps the submit button in view in a long dialog. */
  sticky?: boolean;
  children: ReactNode;
}

/** A form with its submit button; errors that belong to no field appear at the top. */
export function Form<Values extends object, Sent>(props: Props<Values, Sent>) {
  const { form, mutation, action, button, secondaryAction, sticky, children } = props;
  const onError = (error: unknown) => form.setErrors(errorsByField(error));
  return (
    <form onSubmit={form.onSubmit((values) => mutation.mutate(values, { onError }))}>
      <Stack>
        <ErrorNotice error={mutation.error} fieldPaths={pathsOf(form.values)} />
        {children}
        <Group justify="flex-end" className={sticky ? "stickyActions" : undefined}>
          {secondaryAction}
          <Button type="submit" loading={mutation.isPending} {...button}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The JSON pointers of the values. */
function pathsOf(values: object, at = ""): string[] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    value !== null && Object.getPrototypeOf(value) === Object.prototype
      ? pathsOf(value as object, `${at}/${name}`)
      : [`${at}/${name}`],
  );
}
