import { Group, NumberInput, Select } from "@mantine/core";
import { useState } from "react";
import { optionsOf } from "../../components/optionsOf";
import { durationParts, secondsOf, type DurationUnit } from "../../graph/controlFlow";

interface Props {
  label: string;
  required?: boolean;
  /** In seconds. */
  value: unknown;
  /** The duration without a value, in seconds. */
  placeholder?: number;
  error?: string;
  onChange: (seconds: number | undefined) => void;
}

const UNITS = optionsOf<DurationUnit>({ second: "seconds", minute: "minutes", hour: "hours", day: "days" });

/** A number of seconds as an amount of a unit. */
export function DurationField({ label, required, value, placeholder, error, onChange }: Props) {
  const seconds = value === undefined || value === null || value === "" ? Number.NaN : Number(value);
  const known = Number.isFinite(seconds);
  const shown = durationParts(known ? seconds : (placeholder ?? 0));
  // The chosen unit stays while the value has it, so that 60 seconds do not become a minute while typing.
  const [unit, setUnit] = useState(shown.unit);
  const size = secondsOf(1, unit);
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <NumberInput
        flex={1}
        label={label}
        required={required}
        min={0}
        placeholder={placeholder === undefined ? undefined : `${placeholder / size}`}
        value={known ? seconds / size : ""}
        error={error}
        onChange={(amount) => onChange(amount === "" ? undefined : secondsOf(Number(amount), unit))}
      />
      <Select
        w={120}
        label="Unit"
        allowDeselect={false}
        data={UNITS}
        value={unit}
        onChange={(chosen) => {
          const next = UNITS.find((each) => each.value === chosen)?.value ?? unit;
          setUnit(next);
          if (known) {
            onChange(secondsOf(seconds / size, next));
          }
        }}
      />
    </Group>
  );
}
