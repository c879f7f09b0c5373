import { Card, Group, Select, TextInput } from "@mantine/core";
import { RemoveButton } from "../../components/IconButton";
import { SEARCHABLE } from "../../components/searchableSelect";
import { BASIC_OUTPUTS, FILE_OUTPUTS, type OutputParameter } from "../../graph/document";
import { numberedName, renamedOutput } from "../../graph/documentEdits";
import { useIssuesAt } from "../../values/validation";
import { ParameterList } from "./ParameterList";

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
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <TextInput
                size="xs"
                aria-label={`Name of output ${index + 1}`}
                placeholder="name"
                flex={1}
                value={output.name ?? ""}
                error={at(`${outputPath}/name`) ?? at(outputPath)}
                onChange={(event) => set(renamedOutput(output, event.currentTarget.value))}
              />
              <Select
                size="xs"
                w={130}
                {...SEARCHABLE}
                aria-label={`Type of output ${index + 1}`}
                allowDeselect={false}
                data={[
                  { group: "Values", items: [...BASIC_OUTPUTS] },
                  { group: "Files", items: [...FILE_OUTPUTS] },
                ]}
                value={output.type}
                error={at(`${outputPath}/type`)}
                onChange={(type) => type && set({ type })}
              />
              <RemoveButton
                label={`Remove output ${output.name ?? index + 1}`}
                onClick={() => onOutputs(outputs.toSpliced(index, 1))}
              />
            </Group>
            <TextInput
              size="xs"
              mt={6}
              aria-label={`Description of output ${index + 1}`}
              placeholder="Description *"
              required
              value={output.description ?? ""}
              error={at(`${outputPath}/description`)}
              onChange={(event) => set({ description: event.currentTarget.value })}
            />
          </Card>
        );
      })}
    </ParameterList>
  );
}
