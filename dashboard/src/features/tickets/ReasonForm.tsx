import { Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import type { ComponentProps, ReactNode } from "react";
import { Form } from "../../components/Form";
import { Dimmed, SecondaryButton } from "../../components/variants";

interface Props {
  mutation: ComponentProps<typeof Form<{ reason: string }, { reason: string }>>["mutation"];
  action: string;
  onCancel: () => void;
  /** Explains the consequences of a rejection. */
  children: ReactNode;
}

/** Asks why tickets are rejected. */
export function ReasonForm({ mutation, action, onCancel, children }: Props) {
  const form = useForm({ initialValues: { reason: "" } });
  return (
    <Form
      form={form}
      mutation={mutation}
      action={action}
      button={{ color: "red.9" }}
      secondaryAction={<SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>}
    >
      <Dimmed>{children}</Dimmed>
      <Textarea
        label="Reason"
        data-autofocus
        required
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps("reason")}
      />
    </Form>
  );
}
