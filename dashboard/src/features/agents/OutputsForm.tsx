import { Card } from "@mantine/core";
import { BASIC_OUTPUTS, FILE_OUTPUTS, type OutputParameter } from "../../graph/document";
import { numberedName, renamedOutput } from "../../graph/documentEdits";
import { ParameterFields } from "../../values/ParameterFields";
import { useIssuesAt } from "../../values/validation";
import { ParameterList } from "./ParameterList";

const TYPES = [
  { group: "Values", items: [...BASIC_OUTPUTS] },
  { group: "Files", items: [...FILE_OUTPUTS] },
];

interface Props {
  path: string;
  outputs: OutputParameter[];
  onOutputs: (outputs: OutputParameter[]) => void;
}

export function OutputsForm({ path, outputs, onOutputs }: Props) {
  const at = useIssuesAt();
  const add = () =>
    onOutputs([...outputs, { name: numberedName("output", outputs), type: "STRING", description: "" }]);
  return (
    <ParameterList title="Outputs" path={path} action="Add output" onAdd={add}>
      {outputs.map((output, index) => {
        const outputPath = `${path}/${index}`;
        const set = (change: Partial<OutputParameter>) =>
          onOutputs(outputs.with(index, { ...output, ...change }));
        return (
          // Outputs have no IDs, and their names change while typing.
          // oxlint-disable-next-line react/no-array-index-key
          <Card withBorder padding="xs" key={index} data-entry>
            <ParameterFields
              label={`output ${index + 1}`}
              parameter={output}
              types={TYPES}
              typeWidth={130}
              removeLabel={`Remove output ${output.name ?? index + 1}`}
              path={outputPath}
              at={at}
              onChange={({ name, ...change }) =>
                set(name === undefined ? (change as Partial<OutputParameter>) : renamedOutput(output, name))
              }
              onRemove={() => onOutputs(outputs.toSpliced(index, 1))}
            />
          </Card>
        );
      })}
    </ParameterList>
  );
}
