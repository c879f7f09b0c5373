import { Button, Group, Stack } from "@mantine/core";
import { useIsMutating } from "@tanstack/react-query";
import { useRef, useState, type FormEvent, type ReactNode } from "react";
import { fieldErrors, useCompleteTicket, type Schemas } from "../../api";
import { memberLabel } from "../../components/memberLabel";
import { Dimmed, QuietButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { useFocusOnError } from "../../components/useFocusOnError";
import { ValueInput } from "../../values/ValueInput";
import { parseValues, type RawValue } from "../../values/valueFields";
import { FileField, isFile, missingText, UPLOADING } from "../../values/FileField";
import type { FormDraft } from "../../values/useFormDraft";
import { useShortcutKeys } from "../../components/useShortcutKeys";
import { useSubmitKey } from "./useSubmitKey";
import { useTicketRefresh } from "./useTicketRefresh";

/** The JSON pointer of a field in the answer. */
const pointer = (name: string) => `/answer/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** A text of blanks is no answer. */
const isMissing = (value: unknown) =>
  value === undefined || (typeof value === "string" && value.trim() === "");

interface Props {
  ticket: Schemas["TicketDetails"];
  draft: FormDraft;
  /** Whether another person has claimed the ticket. */
  locked: boolean;
  onDone: (message: string) => void;
  /** The button of an action that is better than to complete the ticket. */
  preferred: ReactNode;
  /** Further buttons after the submit button. */
  children: ReactNode;
}

/** The ticket's form. Its fields are the task's outputs or its missing inputs. */
export function TicketForm({ ticket, draft, locked, onDone, preferred, children }: Props) {
  // An empty text hides the server's error of a field that was changed since.
  const [parseErrors, setParseErrors] = useState<Record<string, string>>({});
  /** The errors of the last attempt to complete the ticket. */
  const [failed, setFailed] = useState<object | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const refresh = useTicketRefresh();
  const isApproval = Boolean(ticket.tool_call);
  const complete = useCompleteTicket(ticket.id, {
    onSuccess: (changed) => {
      draft.clear();
      void refresh(changed);
      onDone(
        isApproval
          ? `Call approved in ticket #${ticket.number}. The run continues.`
          : `Ticket #${ticket.number} completed. The run continues.`,
      );
    },
  });
  // Completing during an upload would lose the file.
  const uploading = useIsMutating({ mutationKey: UPLOADING }) > 0;
  const { at } = fieldErrors(complete.error);
  useFocusOnError(form, failed);
  const isQuestion = !isApproval && ticket.rule_type !== "Exception";
  useSubmitKey(form, isQuestion);
  const yesNo = ticket.form.find(({ type }) => type === "BOOLEAN")?.name;
  const answer = (value: boolean) => {
    if (yesNo !== undefined && !locked) {
      draft.set(yesNo, value);
      form.current?.querySelector<HTMLElement>(`input[type="radio"][value="${value}"]`)?.focus();
    }
  };
  useShortcutKeys({ y: () => answer(true), n: () => answer(false) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete.isPending || uploading || locked) {
      return;
    }
    const { values, errors } = parseValues(ticket.form, draft.values);
    // The edited arguments of a tool call may be missing: it is then approved as it is.
    const missing = isApproval
      ? []
      : ticket.form.filter(({ name, required }) => required && isMissing(values[name]));
    for (const { name, type } of missing) {
      errors[name] ??= missingText(type);
    }
    setParseErrors(errors);
    if (Object.keys(errors).length === 0) {
      complete.mutate(values, { onError: setFailed });
    } else {
      setFailed(errors);
    }
  };
  return (
    <form id="ticket-form" ref={form} onSubmit={submit} noValidate>
      <Stack>
        {ticket.form.length === 0 && <Dimmed>Nothing to fill in. Mark it complete when you’re done.</Dimmed>}
        {ticket.form.map((field) => {
          const props = {
            field,
            label: memberLabel(field.name),
            // The arguments to approve; only edited ones are sent.
            value: draft.values[field.name] ?? (isApproval ? JSON.stringify(ticket.inputs, null, 2) : null),
            error: parseErrors[field.name] ?? at(pointer(field.name)),
            disabled: locked,
            onChange: (value: RawValue) => {
              draft.set(field.name, value);
              // Of several faulty rows, the others stay marked.
              const { errors } = parseValues([field], { [field.name]: value });
              setParseErrors((before) => ({
                ...before,
                [field.name]: before[field.name] ? (errors[field.name] ?? "") : "",
              }));
            },
          };
          return isFile(field.type) ? (
            <FileField key={field.name} {...props} />
          ) : (
            <ValueInput key={field.name} {...props} />
          );
        })}
        <ErrorNotice error={complete.error} fieldPaths={ticket.form.map((field) => pointer(field.name))} />
        <Group>
          {preferred}
          <Button
            type="submit"
            variant={preferred ? "default" : "filled"}
            loading={complete.isPending}
            disabled={uploading || locked}
          >
            {isApproval
              ? "Approve call"
              : ticket.form.length === 0
                ? "Mark complete"
                : "Complete with these values"}
          </Button>
          {children}
          {draft.filled && !locked && <QuietButton onClick={draft.clear}>Clear entries</QuietButton>}
        </Group>
      </Stack>
    </form>
  );
}
