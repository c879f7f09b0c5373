import { CloseButton, Group, Input, Select, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { memberLabel } from "../components/memberLabel";
import { SecondaryButton, QuietButton } from "../components/variants";
import { JsonField } from "../components/JsonField";
import { YES_NO } from "../components/optionsOf";
import {
  blankErrors,
  checkStructure,
  errorText,
  MARKED_FIELDS,
  structureOf,
  type StructureValue,
  type ValueMember,
} from "./structures";
import type { RawValue, ValueField } from "./valueFields";
import classes from "./structureInput.module.css";

interface Props {
  field: ValueField;
  label: string;
  value: RawValue;
  error?: string;
  disabled?: boolean;
  onChange: (value: RawValue) => void;
}

/** A form for an object or a list whose type is known. Its value is JSON text, which can be edited as well. */
export function StructureInput({ field, label, value, error, disabled, onChange }: Props) {
  const text = typeof value === "string" ? value : "";
  const shape = structureOf(field);
  const parsed = shape?.read(text);
  const [asJson, setAsJson] = useState(parsed === undefined);
  const showsJson = asJson || parsed === undefined;
  const group = useRef<HTMLDivElement>(null);
  // The row appears with the next frame.
  const focusRow = (index: number, element: "input" | "button") =>
    requestAnimationFrame(() =>
      [...(group.current?.querySelectorAll("[data-row]") ?? [])]
        .at(index)
        ?.querySelector<HTMLElement>(element)
        ?.focus(),
    );
  const checked = error === MARKED_FIELDS ? checkStructure(field, text) : undefined;
  const errors =
    checked && "errors" in checked
      ? checked.errors
      : error !== undefined && field.required && text.trim() === ""
        ? blankErrors(field)
        : [];
  const errorsOfRow = (row: number): MemberErrors =>
    new Map(errors.filter((each) => each.row === row).map((each) => [each.name, each.text]));
  // Corrected fields lose their marks at once, and the last one the error of the form.
  const shownError =
    error !== MARKED_FIELDS
      ? error
      : errors.length === 0
        ? undefined
        : showsJson
          ? errors.map((each) => errorText(field, each)).join(" ")
          : error;
  const set = (next: StructureValue) => onChange(shape?.write(next) ?? null);
  return (
    <Input.Wrapper
      labelElement="div"
      label={label}
      description={field.description}
      required={field.required}
      error={shownError}
      data-invalid={shownError && errors.length === 0 ? true : undefined}
    >
      <Stack gap="xs" mt={6} mb={4} role="group" aria-label={label} ref={group}>
        {showsJson ? (
          <JsonField
            name={label}
            aria-label={`${label} as JSON`}
            disabled={disabled}
            validationError="This isn’t valid JSON."
            placeholder={shape?.example}
            value={text}
            onChange={onChange}
          />
        ) : shape?.isList ? (
          <Rows
            label={label}
            members={shape.members}
            rows={parsed as Record<string, unknown>[]}
            errorsOf={errorsOfRow}
            disabled={disabled}
            onChange={set}
            onRemoved={(index) => focusRow(Math.max(0, index - 1), "button")}
          />
        ) : (
          <Members
            label={label}
            members={shape?.members ?? []}
            values={parsed as Record<string, unknown>}
            errors={errorsOfRow(0)}
            disabled={disabled}
            onChange={set}
          />
        )}
        <Group gap="xs">
          {!showsJson && shape?.isList && !disabled && (
            <SecondaryButton
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              onClick={() => {
                set([...(parsed as Record<string, unknown>[]), {}]);
                focusRow(-1, "input");
              }}
            >
              Add row
            </SecondaryButton>
          )}
          <QuietButton
            size="compact-sm"
            disabled={showsJson && parsed === undefined}
            onClick={() => setAsJson(!showsJson)}
          >
            {showsJson ? "Edit as a form" : "Edit as JSON"}
          </QuietButton>
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

/** The errors of a row by member. */
type MemberErrors = ReadonlyMap<string, string>;

interface RowsProps {
  label: string;
  members: ValueMember[];
  rows: Record<string, unknown>[];
  errorsOf: (row: number) => MemberErrors;
  disabled?: boolean;
  onChange: (rows: Record<string, unknown>[]) => void;
  onRemoved: (index: number) => void;
}

/** One line of inputs for each item, like a table. */
function Rows({ label, members, rows, errorsOf, disabled, onChange, onRemoved }: RowsProps) {
  return rows.map((row, index) => (
    // Rows have no IDs.
    // oxlint-disable-next-line react/no-array-index-key
    <Group key={index} gap="xs" wrap="nowrap" align="flex-start" className={classes.row} data-row>
      <Members
        label={`Row ${index + 1} of ${label}`}
        hideLabels={index > 0}
        members={members}
        values={row}
        errors={errorsOf(index)}
        disabled={disabled}
        onChange={(next) => onChange(rows.with(index, next))}
      />
      <CloseButton
        size={36}
        iconSize={18}
        className={classes.remove}
        disabled={disabled}
        aria-label={`Remove row ${index + 1} of ${label}`}
        onClick={() => {
          onChange(rows.toSpliced(index, 1));
          onRemoved(index);
        }}
      />
    </Group>
  ));
}

interface MembersProps {
  label: string;
  members: ValueMember[];
  values: Record<string, unknown>;
  errors: MemberErrors;
  /** Repeated labels are for screen readers and phones only. */
  hideLabels?: boolean;
  disabled?: boolean;
  onChange: (values: Record<string, unknown>) => void;
}

function Members({ label, members, values, errors, hideLabels = false, disabled, onChange }: MembersProps) {
  return (
    <div
      role="group"
      aria-label={label}
      className={classes.members}
      data-hide-labels={hideLabels || undefined}
    >
      {members.map((member) => (
        <MemberInput
          key={member.name}
          member={member}
          value={values[member.name]}
          error={errors.get(member.name)}
          disabled={disabled}
          onChange={(value) => onChange({ ...values, [member.name]: value })}
        />
      ))}
    </div>
  );
}

interface MemberProps {
  member: ValueMember;
  value: unknown;
  error: string | undefined;
  disabled?: boolean;
  onChange: (value: unknown) => void;
}

function MemberInput({ member, value, error, disabled, onChange }: MemberProps) {
  const common = {
    label: memberLabel(member.name),
    title: member.description || undefined,
    required: member.required ?? false,
    error,
    disabled,
  };
  if (member.type === "BOOLEAN") {
    return (
      <Select
        {...common}
        clearable={!member.required}
        data={YES_NO}
        value={typeof value === "boolean" ? String(value) : null}
        onChange={(chosen) => onChange(chosen === null ? undefined : chosen === "true")}
      />
    );
  }
  const inputMode = { INTEGER: "numeric", FLOAT: "decimal" } as const;
  return (
    <TextInput
      {...common}
      inputMode={inputMode[member.type as keyof typeof inputMode]}
      value={typeof value === "string" || typeof value === "number" ? String(value) : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
