import { Checkbox, Fieldset, Group, Stack } from "@mantine/core";
import type { ComponentProps, ReactNode } from "react";
import type { Schemas } from "../../api";
import { DimmedXs, SmallAddButton } from "../../components/variants";
import { BASIC_OUTPUTS, FILE_OUTPUTS, VALUE_TYPES, type Items } from "../../graph/document";
import { numberedName } from "../../graph/documentEdits";
import { useFocusAdded } from "../../components/useFocusAdded";
import { ParameterFields } from "../../values/ParameterFields";
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
            at={errorAt}
            onChange={(change) =>
              setInput(index, {
                ...(change as Partial<Input>),
                ...(change.type === undefined ? {} : { items: undefined }),
              })
            }
            onRemove={() => onChange({ inputs: inputs.toSpliced(index, 1) })}
            below={
              <>
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
              </>
            }
          />
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
            at={errorAt}
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

interface ParameterProps extends ComponentProps<typeof ParameterFields> {
  below?: ReactNode;
}

const Parameter = ({ below, ...fields }: ParameterProps) => (
  <Stack gap={4} data-entry>
    <ParameterFields describe="optional" {...fields} />
    {below}
  </Stack>
);
