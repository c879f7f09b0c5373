import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { fieldErrors } from "../../api";
import { ErrorNotice } from "../../components/ErrorNotice";

interface FormProps {
  mutation: { isPending: boolean; error: unknown };
  onSubmit: () => void;
  action: string;
  fullWidth?: boolean;
  /** The fields whose errors the form shows at their inputs. */
  fieldPaths: string[];
  /** Above the errors. */
  intro?: ReactNode;
  children: ReactNode;
  /** Below the button. */
  more?: ReactNode;
}

/** A form of the pages outside a session, which browsers and password managers fill in. */
export function PasswordForm(props: FormProps) {
  const { mutation, onSubmit, action, fullWidth, fieldPaths, intro, children, more } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {intro}
        <ErrorNotice error={mutation.error} fieldPaths={fieldPaths} />
        {children}
        <Button type="submit" loading={mutation.isPending} fullWidth={fullWidth}>
          {action}
        </Button>
        {more}
      </Stack>
    </form>
  );
}

interface FieldProps {
  label?: string;
  description?: string;
  name?: string;
  autoComplete?: string;
  autoFocus?: boolean;
  "data-autofocus"?: boolean;
  value: string;
  /** Of the request, from which the field takes its own error. */
  error: unknown;
  onType: (text: string) => void;
}

const REQUIRED = { required: true, withAsterisk: false };

export const EmailField = ({ value, error, onType, ...props }: FieldProps) => (
  <TextInput
    label="Email"
    type="email"
    name="email"
    autoComplete="username"
    {...REQUIRED}
    {...props}
    value={value}
    error={fieldErrors(error).at("/email")}
    onChange={(event) => onType(event.currentTarget.value)}
  />
);

export const PasswordField = ({ value, error, onType, ...props }: FieldProps) => (
  <PasswordInput
    label="Password"
    {...REQUIRED}
    {...props}
    value={value}
    error={fieldErrors(error).at("/password")}
    onChange={(event) => onType(event.currentTarget.value)}
  />
);
