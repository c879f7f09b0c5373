import { Box, Checkbox, Group, Select, Stack } from "@mantine/core";
import { ErrorXs, QuietAddButton, SmallHeading } from "../components/variants";
import {
  PROPERTY_TYPES,
  VALUE_TYPES,
  type InputParameter,
  type Items,
  type Property,
} from "../graph/document";
import { numberedName } from "../graph/documentEdits";
import { ParameterFields } from "./ParameterFields";
import { useIssuesAt } from "./validation";

interface Props {
  input: InputParameter;
  path: string;
  onChange: (change: Partial<InputParameter>) => void;
}

/** The item type of an ARRAY or the properties of an OBJECT. */
export function StructureFields({ input, path, onChange }: Props) {
  if (input.type === "ARRAY") {
    return (
      <ItemsFields items={input.items} path={`${path}/items`} onChange={(items) => onChange({ items })} />
    );
  }
  if (input.type === "OBJECT") {
    return (
      <PropertiesFields
        properties={input.properties}
        path={`${path}/properties`}
        onChange={(properties) => onChange({ properties })}
      />
    );
  }
  return null;
}

interface ItemsProps {
  items: Items | null | undefined;
  path: string;
  onChange: (items: Items) => void;
  /** Removes the type, so that the items may be of any. Without it, a type is required. */
  onClear?: () => void;
}

/** Recursive, because arrays can contain arrays. */
export function ItemsFields({ items, path, onChange, onClear }: ItemsProps) {
  const at = useIssuesAt();
  return (
    <Box pl="sm" style={{ borderLeft: "2px solid var(--mantine-color-default-border)" }}>
      <Select
        size="xs"
        label="Items"
        placeholder={onClear ? "Any" : "Choose a type"}
        clearable={onClear !== undefined}
        allowDeselect={false}
        data={[...VALUE_TYPES]}
        value={items?.type ?? null}
        error={at(`${path}/type`) ?? at(path)}
        onChange={(type) => {
          if (type === null) {
            onClear?.();
          } else {
            onChange({
              type,
              ...(type === "ARRAY" ? { items: { type: "STRING" } } : {}),
              ...(type === "OBJECT" ? { properties: [] } : {}),
            });
          }
        }}
      />
      {items?.type === "ARRAY" && (
        <ItemsFields
          items={items.items}
          path={`${path}/items`}
          onChange={(inner) => onChange({ ...items, items: inner })}
        />
      )}
      {items?.type === "OBJECT" && (
        <PropertiesFields
          properties={items.properties}
          path={`${path}/properties`}
          onChange={(properties) => onChange({ ...items, properties })}
        />
      )}
    </Box>
  );
}

interface PropertiesProps {
  properties: Property[] | null | undefined;
  path: string;
  onChange: (properties: Property[]) => void;
}

function PropertiesFields({ properties, path, onChange }: PropertiesProps) {
  const at = useIssuesAt();
  const all = properties ?? [];
  return (
    <Stack gap={6} pl="sm" style={{ borderLeft: "2px solid var(--mantine-color-default-border)" }}>
      <Group justify="space-between">
        <SmallHeading>Properties</SmallHeading>
        <QuietAddButton
          onClick={() =>
            onChange([
              ...all,
              { name: numberedName("property", all), type: "STRING", description: "", required: false },
            ])
          }
        >
          Add property
        </QuietAddButton>
      </Group>
      {at(path) && <ErrorXs>{at(path)}</ErrorXs>}
      {all.map((property, index) => {
        const set = (change: Partial<Property>) => onChange(all.with(index, { ...property, ...change }));
        return (
          // Properties have no IDs, and their names change while typing.
          // oxlint-disable-next-line react/no-array-index-key
          <ParameterFields
            key={index}
            label={`property ${index + 1}`}
            parameter={property}
            types={[...PROPERTY_TYPES]}
            typeWidth={110}
            removeLabel={`Remove property ${property.name}`}
            path={`${path}/${index}`}
            at={at}
            onChange={(change) => set(change as Partial<Property>)}
            onRemove={() => onChange(all.toSpliced(index, 1))}
          >
            <Checkbox
              size="xs"
              label="Required"
              checked={property.required ?? false}
              onChange={(event) => set({ required: event.currentTarget.checked })}
            />
          </ParameterFields>
        );
      })}
    </Stack>
  );
}
