import { Checkbox, Fieldset, Group, Select, Stack, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { Schemas } from "../../api";
import { RemoveButton } from "../../components/IconButton";
import { DimmedXs, SmallAddButton } from "../../components/variants";
import { BASIC_OUTPUTS, FILE_OUTPUTS, VALUE_TYPES, type Items } from "../../graph/document";
import { numberedName } from "../../graph/documentEdits";
import { SEARCHABLE } from "../../components/searchableSelect";
import { useFocusAdded } from "../../components/useFocusAdded";
import { ItemsFields } from "../../values/StructureFields";

type Input = Schemas["CodeInput"];
type Output = Schemas["CodeOutput"];

interface Props {
  content: { inputs: Input[]; outputs: Output[] };
  readOnly: boolean;
  errorAt: (path: string) => string | undefined;
  onChange: (change: { inputs?: Input[]; outputs?: Output[] }) => void;
}

/** The inputs and outputs that the code declares: dry runs check them. */
export function CodeParameters({ content, readOnly, errorAt, onChange }: Props) {
  const { inputs, outputs } = content;
  const setInput = (index: number, change: Partial<Input>) =>
    onChange({ inputs: inputs.with(index, { ...inputs[index]!, ...change }) });
  const setOutput = (index: number, change: Partial<Output>) =>
    onChange({ outputs: outputs.with(index, { ...outputs[index]!, ...change }) });
  return (
    <Stack gap="sm">
      <Parameters
        title="Inputs"
        readOnly={readOnly}
        empty="None declared: the code accepts any inputs."
        add="Add input"
        onAdd={() =>
          onChange({
            inputs: [
              ...inputs,
              { name: numberedName("input", inputs), type: "STRING", description: "", required: true },
            ],
          })
        }
      >
        {inputs.map((input, index) => (
          <Parameter
            // Parameters have no IDs, and their names change while typing.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            label={`input ${index + 1}`}
            path={`/inputs/${index}`}
            parameter={input}
            types={[...VALUE_TYPES]}
            readOnly={readOnly}
            errorAt={errorAt}
            onChange={(change) =>
              setInput(index, {
                ...(change as Partial<Input>),
                ...(change.type === undefined ? {} : { items: undefined }),
              })
            }
            onRemove={() => onChange({ inputs: inputs.toSpliced(index, 1) })}
          >
            {input.type === "ARRAY" && (
              <Fieldset variant="unstyled" p={0} disabled={readOnly}>
                <ItemsFields
                  items={input.items as unknown as Items | undefined}
                  path={`/inputs/${index}/items`}
                  onChange={(items) => setInput(index, { items: items as unknown as Input["items"] })}
                  onClear={() => setInput(index, { items: undefined })}
                />
              </Fieldset>
            )}
            <Checkbox
              size="xs"
              label="Required"
              disabled={readOnly}
              checked={input.required ?? true}
              onChange={(event) => setInput(index, { required: event.currentTarget.checked })}
            />
          </Parameter>
        ))}
      </Parameters>
      <Parameters
        title="Outputs"
        readOnly={readOnly}
        empty="None declared: the code may return any object."
        add="Add output"
        onAdd={() =>
          onChange({
            outputs: [...outputs, { name: numberedName("output", outputs), type: "STRING", description: "" }],
          })
        }
      >
        {outputs.map((output, index) => (
          <Parameter
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            label={`output ${index + 1}`}
            path={`/outputs/${index}`}
            parameter={output}
            types={[...BASIC_OUTPUTS, ...FILE_OUTPUTS]}
            readOnly={readOnly}
            errorAt={errorAt}
            onChange={(change) => setOutput(index, change as Partial<Output>)}
            onRemove={() => onChange({ outputs: outputs.toSpliced(index, 1) })}
          />
        ))}
      </Parameters>
    </Stack>
  );
}

interface ParametersProps {
  title: string;
  readOnly: boolean;
  empty: string;
  add: string;
  onAdd: () => void;
  children: ReactNode[];
}

function Parameters({ title, readOnly, empty, add, onAdd, children }: ParametersProps) {
  const { list, focusAdded } = useFocusAdded();
  return (
    <Fieldset legend={title} p="sm">
      <Stack gap="sm" ref={list}>
        {children.length === 0 && <DimmedXs>{empty}</DimmedXs>}
        {children}
        {!readOnly && (
          <Group>
            <SmallAddButton onClick={() => focusAdded(onAdd)}>{add}</SmallAddButton>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

interface ParameterProps {
  label: string;
  path: string;
  parameter: { name: string; type: string; description?: string | null };
  types: string[];
  readOnly: boolean;
  errorAt: (path: string) => string | undefined;
  onChange: (change: { name?: string; type?: string; description?: string }) => void;
  onRemove: () => void;
  children?: ReactNode;
}

function Parameter(props: ParameterProps) {
  const { label, path, parameter, types, readOnly, errorAt, onChange, onRemove, children } = props;
  return (
    <Stack gap={4} data-entry>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <TextInput
          size="xs"
          flex={1}
          aria-label={`Name of ${label}`}
          readOnly={readOnly}
          value={parameter.name}
          error={errorAt(`${path}/name`)}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <Select
          size="xs"
          w={120}
          {...SEARCHABLE}
          aria-label={`Type of ${label}`}
          allowDeselect={false}
          readOnly={readOnly}
          data={types}
          value={parameter.type}
          error={errorAt(`${path}/type`)}
          onChange={(type) => type && onChange({ type })}
        />
        {!readOnly && <RemoveButton label={`Remove ${label}`} onClick={onRemove} />}
      </Group>
      <TextInput
        size="xs"
        aria-label={`Description of ${label}`}
        placeholder="Description"
        readOnly={readOnly}
        value={parameter.description ?? ""}
        error={errorAt(`${path}/description`)}
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      {children}
    </Stack>
  );
}
