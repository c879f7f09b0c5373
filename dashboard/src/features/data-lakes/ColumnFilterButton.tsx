import { ActionIcon, Button, Group, Popover, Select, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter, IconFilterFilled } from "@tabler/icons-react";
import { useState, type FormEvent } from "react";
import { QuietButton } from "../../components/variants";
import type { Schemas } from "../../api";
import { YES_NO } from "../../components/optionsOf";
import { comparisonsOf, needsValue, parseValue, type ColumnFilter } from "./columnFilters";

interface Props {
  column: Schemas["DataLakeColumn"];
  filter: ColumnFilter | undefined;
  onChange: (filter: ColumnFilter | null) => void;
}

/** Opens the filter of a column. */
export function ColumnFilterButton({ column, filter, onChange }: Props) {
  const [opened, popover] = useDisclosure(false);
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && popover.close()}
      position="bottom-end"
      width={260}
      trapFocus
      returnFocus
      withinPortal
      shadow="md"
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          size={24}
          color={filter ? undefined : "gray"}
          aria-label={`Filter ${column.name}`}
          onClick={popover.toggle}
        >
          {filter ? <IconFilterFilled size={15} /> : <IconFilter size={15} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <FilterForm
          column={column}
          filter={filter}
          onChange={(next) => {
            popover.close();
            onChange(next);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterForm({ column, filter, onChange }: Props) {
  const { operators, kind } = comparisonsOf(column.type);
  const [op, setOp] = useState(filter?.op ?? operators[0]!.value);
  const [value, setValue] = useState(filter?.value ?? (kind === "yes/no" ? "true" : ""));
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // React passes the event on to the parents of the popover.
    event.stopPropagation();
    if (!needsValue(op)) {
      onChange({ column: column.name, op });
      return;
    }
    const parsed = parseValue(value, column.type);
    if ("error" in parsed) {
      setError(parsed.error);
    } else {
      onChange({ column: column.name, op, value: parsed.value });
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Select
          aria-label={`Comparison of ${column.name}`}
          allowDeselect={false}
          data={operators}
          value={op}
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => next && setOp(next)}
        />
        {needsValue(op) &&
          (kind === "yes/no" ? (
            <Select
              aria-label={`Value of ${column.name}`}
              allowDeselect={false}
              data={YES_NO}
              value={value}
              comboboxProps={{ withinPortal: false }}
              onChange={(next) => next && setValue(next)}
            />
          ) : (
            <TextInput
              aria-label={`Value of ${column.name}`}
              data-autofocus
              type={kind === "date" ? "date" : "text"}
              inputMode={kind === "number" ? "decimal" : undefined}
              maxLength={200}
              value={value}
              error={error}
              onChange={(event) => {
                setValue(event.currentTarget.value);
                setError(null);
              }}
            />
          ))}
        <Group justify="flex-end" gap="xs">
          {filter && (
            <QuietButton size="xs" onClick={() => onChange(null)}>
              Clear
            </QuietButton>
          )}
          <Button size="xs" type="submit">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
