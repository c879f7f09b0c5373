import { Alert, Badge, Group, List, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { useRemoveModel, useTestModel, type Schemas } from "../../api";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { DimmedXs, ErrorXs, SmallButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { capabilitiesOf, contextOf, pricesOf } from "./modelTexts";

interface Props {
  model: Schemas["Model"];
  /** Whether the user may change and test it. */
  isEditable: boolean;
  onEdit: () => void;
}

/** A model with its prices and what it can do; admins can test, change and remove it. */
export function ModelRow({ model, isEditable, onEdit }: Props) {
  const [removing, setRemoving] = useState(false);
  const test = useTestModel(model.id);
  const remove = useRemoveModel(model.id, { done: `“${model.alias}” removed.` });
  return (
    <>
      <Table.Tr>
        <Table.Td>
          <Group gap={6}>
            <Text span inherit fw={600}>
              {model.alias}
            </Text>
            {model.is_default && <Badge variant="light">Default</Badge>}
          </Group>
          <DimmedXs style={{ overflowWrap: "anywhere" }}>{model.name}</DimmedXs>
          {!model.allowed && <ErrorXs>Not allowed by the operator</ErrorXs>}
        </Table.Td>
        <Table.Td data-label="Prices">{pricesOf(model)}</Table.Td>
        <Table.Td data-label="Context">{contextOf(model)}</Table.Td>
        <Table.Td data-label="Can">{capabilitiesOf(model).join(", ") || "Unknown"}</Table.Td>
        <Table.Td>
          {isEditable && (
            <Group gap="xs" wrap="nowrap" justify="flex-end">
              <SmallButton
                aria-label={`Test ${model.alias}`}
                loading={test.isPending}
                onClick={() => test.mutate()}
              >
                Test
              </SmallButton>
              <SmallButton aria-label={`Edit ${model.alias}`} onClick={onEdit}>
                Edit
              </SmallButton>
              <SmallButton aria-label={`Remove ${model.alias}`} onClick={() => setRemoving(true)}>
                Remove
              </SmallButton>
            </Group>
          )}
          <ConfirmDialog
            opened={removing}
            title={`Remove “${model.alias}”?`}
            action="Remove model"
            mutation={remove}
            onConfirm={() => remove.mutate()}
            onClose={() => setRemoving(false)}
          >
            <Text size="sm">AI tasks and conversations that use it will fail.</Text>
          </ConfirmDialog>
        </Table.Td>
      </Table.Tr>
      {(test.data ?? test.error) && (
        <Table.Tr>
          <Table.Td colSpan={5}>
            <ErrorNotice error={test.error} />
            {test.data && <TestResult result={test.data} />}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function TestResult({ result }: { result: Schemas["ModelTestResult"] }) {
  const title = result.ok
    ? `Replied in ${((result.latency_millis ?? 0) / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`
    : "The model doesn’t reply";
  return (
    <Alert color={result.ok ? undefined : "red"} title={title} role="status">
      <Stack gap={4}>
        {result.ok && <Text size="sm">Can: {capabilitiesOf(result).join(", ") || "text only"}.</Text>}
        {result.failures.length > 0 && (
          <List size="sm">
            {result.failures.map(({ capability, detail }) => (
              <List.Item key={capability}>
                {capability}: {detail}
              </List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Alert>
  );
}
