import { Group, Select, Stack, TextInput, type SelectProps } from "@mantine/core";
import type { ReactNode } from "react";
import { RemoveButton } from "../components/IconButton";
import { SEARCHABLE } from "../components/searchableSelect";

interface Props {
  /** The kind and the number, such as "input 2". */
  label: string;
  parameter: { name?: string | null; type: string; description?: string | null };
  types: SelectProps<string>["data"];
  typeWidth?: number;
  /** The label of the button that removes the parameter. */
  removeLabel?: string;
  describe?: "required" | "optional";
  readOnly?: boolean;
  path: string;
  /** The errors by JSON pointer. */
  at: (path: string) => string | undefined;
  /** Whether the errors of the parameter itself appear here. */
  hasOwnErrors?: boolean;
  onChange: (change: { name?: string; type?: string; description?: string }) => void;
  onRemove: () => void;
  /** Next to the description. */
  children?: ReactNode;
}

/** The name, the type and the description of an input, an output or a property. */
export function ParameterFields(props: Props) {
  const { label, parameter, types, typeWidth = 120, readOnly = false, path, at, onChange, onRemove } = props;
  const { removeLabel = `Remove ${label}`, describe = "required", hasOwnErrors = true, children } = props;
  return (
    <Stack gap={6}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          size="xs"
          flex={1}
          aria-label={`Name of ${label}`}
          placeholder="name"
          readOnly={readOnly}
          value={parameter.name ?? ""}
          error={at(`${path}/name`) ?? (hasOwnErrors ? at(path) : undefined)}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          size="xs"
          w={typeWidth}
          {...SEARCHABLE}
          aria-label={`Type of ${label}`}
          allowDeselect={false}
          readOnly={readOnly}
          data={types}
          value={parameter.type}
          error={at(`${path}/type`)}
          onChange={(type) => type && onChange({ type })}
        />
        {!readOnly && <RemoveButton label={removeLabel} onClick={onRemove} />}
      </Group>
      <Group gap={6} wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          aria-label={`Description of ${label}`}
          placeholder={describe === "required" ? "Description *" : "Description"}
          required={describe === "required"}
          readOnly={readOnly}
          value={parameter.description ?? ""}
          error={at(`${path}/description`)}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
        {children}
      </Group>
    </Stack>
  );
}
