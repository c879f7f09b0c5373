import { Card, Group, Stack, Text } from "@mantine/core";
import type { Schemas } from "../../api";
import { memberLabel } from "../../components/memberLabel";
import { CardHeading, Strong, PlainText } from "../../components/variants";
import { structureOf } from "../../values/structures";
import type { RawValue, ValueField } from "../../values/valueFields";
import classes from "./printedForm.module.css";

/** Types whose values fit on one line. */
const SHORT = ["INTEGER", "FLOAT", "DATETIME", "STRING"];

interface Props {
  ticket: Schemas["TicketDetails"];
  /** The entered values. */
  values: Record<string, RawValue>;
}

/** The form of an open ticket on paper, to fill in by hand. */
export function PrintedForm({ ticket, values }: Props) {
  const isApproval = Boolean(ticket.tool_call);
  const decisions = isApproval
    ? ["Approve call", "Reject call"]
    : ticket.exception
      ? ["Complete with these values", "Retry task", "Fail the run"]
      : ["Complete", "Can’t answer"];
  return (
    <Card withBorder component="section" aria-label="Answer form">
      <Stack gap="md">
        <CardHeading>Answer</CardHeading>
        {/* The arguments of a tool call are printed as the inputs. */}
        {!isApproval &&
          ticket.form.map((field) => (
            <PrintedField key={field.name} field={field} value={values[field.name] ?? null} />
          ))}
        <Choices labels={decisions} />
      </Stack>
    </Card>
  );
}

function PrintedField({ field, value }: { field: ValueField; value: RawValue }) {
  const members = structureOf(field)?.members.map(({ name }) => memberLabel(name)) ?? [];
  return (
    <div>
      <Strong>
        {memberLabel(field.name)}
        {field.required && " (required)"}
      </Strong>
      {(field.description || members.length > 0) && (
        <Text size="xs">{[field.description, members.join(", ")].filter(Boolean).join(" · ")}</Text>
      )}
      {field.type === "BOOLEAN" ? (
        <Choices labels={["Yes", "No"]} chosen={value === null ? undefined : value === true ? "Yes" : "No"} />
      ) : typeof value === "string" && value !== "" ? (
        <PlainText>{value}</PlainText>
      ) : (
        <div className={SHORT.includes(field.type) ? classes.line : classes.box} />
      )}
    </div>
  );
}

function Choices({ labels, chosen }: { labels: string[]; chosen?: string }) {
  return (
    <Group gap="xl" mt={4}>
      {labels.map((label) => (
        <Text
          key={label}
          span
          size="sm"
          className={classes.choice}
          data-chosen={label === chosen || undefined}
        >
          {label}
        </Text>
      ))}
    </Group>
  );
}
