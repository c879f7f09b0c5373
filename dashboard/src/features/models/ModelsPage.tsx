import { Button, Card, Group, Stack, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useIsAdmin, useModelProviders, useModels, useRemoveModelProvider, type Schemas } from "../../api";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Dimmed, SmallButton } from "../../components/variants";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { useDialog } from "../../components/useDialog";
import { ModelDialog } from "./ModelDialog";
import { ModelRow } from "./ModelRow";
import { KIND_LABELS } from "./modelTexts";
import { ProviderDialog } from "./ProviderDialog";

/** The providers of models with their models. */
export default function ModelsPage() {
  const isAdmin = useIsAdmin();
  const dialog = useDialog("add-provider");
  const providers = useModelProviders();
  const models = useModels();
  return (
    <Page
      title="Models"
      about="Language models for AI tasks and conversations, from the installation and from your own providers."
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
            Add provider
          </Button>
        )
      }
    >
      <QueryBoundary query={providers}>
        {(all) => (
          <QueryBoundary query={models}>
            {(found) => (
              <Stack gap="sm">
                <Card withBorder component="section" aria-label="Installation">
                  <Title order={2} size="md">
                    Installation
                  </Title>
                  <Dimmed>The model that the operator set up. Used where no model is named.</Dimmed>
                  <ModelTable
                    label="Models of the installation"
                    models={found.filter(({ provider_id }) => provider_id === null)}
                    providers={all}
                    isEditable={false}
                  />
                </Card>
                {all.map((provider) => (
                  <ProviderCard
                    key={provider.id}
                    provider={provider}
                    providers={all}
                    models={found.filter(({ provider_id }) => provider_id === provider.id)}
                    isAdmin={isAdmin}
                  />
                ))}
              </Stack>
            )}
          </QueryBoundary>
        )}
      </QueryBoundary>
      <ProviderDialog opened={isAdmin && dialog.opened} onClose={dialog.close} />
    </Page>
  );
}

interface CardProps {
  provider: Schemas["ModelProvider"];
  providers: Schemas["ModelProvider"][];
  models: Schemas["Model"][];
  isAdmin: boolean;
}

function ProviderCard({ provider, providers, models, isAdmin }: CardProps) {
  const [dialog, setDialog] = useState<"edit" | "remove" | "add" | null>(null);
  const close = () => setDialog(null);
  const remove = useRemoveModelProvider(provider.id, { done: `“${provider.name}” removed.` });
  return (
    <Card withBorder component="section" aria-label={provider.name}>
      <Group justify="space-between" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Title order={2} size="md">
            {provider.name}
          </Title>
          <Dimmed style={{ overflowWrap: "anywhere" }}>
            {KIND_LABELS[provider.kind]} · {provider.base_url}
            {!provider.has_credential && " · no API key"}
          </Dimmed>
        </div>
        {isAdmin && (
          <Group gap="xs">
            <SmallButton onClick={() => setDialog("add")}>Add model</SmallButton>
            <SmallButton onClick={() => setDialog("edit")}>Edit</SmallButton>
            <SmallButton disabled={models.length > 0} onClick={() => setDialog("remove")}>
              Remove
            </SmallButton>
          </Group>
        )}
      </Group>
      <ModelTable
        label={`Models of ${provider.name}`}
        models={models}
        providers={providers}
        isEditable={isAdmin}
      />
      <ProviderDialog opened={dialog === "edit"} providerId={provider.id} onClose={close} />
      <ModelDialog opened={dialog === "add"} providers={providers} providerId={provider.id} onClose={close} />
      <ConfirmDialog
        opened={dialog === "remove"}
        title={`Remove “${provider.name}”?`}
        action="Remove provider"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={close}
      >
        <Text size="sm">Its API key is deleted.</Text>
      </ConfirmDialog>
    </Card>
  );
}

interface TableProps {
  label: string;
  models: Schemas["Model"][];
  providers: Schemas["ModelProvider"][];
  isEditable: boolean;
}

function ModelTable({ label, models, providers, isEditable }: TableProps) {
  const [edited, setEdited] = useState<number | null>(null);
  if (models.length === 0) {
    return (
      <Text size="sm" mt="xs">
        No models yet.
      </Text>
    );
  }
  return (
    <>
      <Table.ScrollContainer minWidth={640}>
        <Table aria-label={label}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Model</Table.Th>
              <Table.Th>Prices per million tokens</Table.Th>
              <Table.Th>Context</Table.Th>
              <Table.Th>Can</Table.Th>
              <Table.Th>
                <VisuallyHidden>Actions</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {models.map((model) => (
              <ModelRow
                key={model.id}
                model={model}
                isEditable={isEditable}
                onEdit={() => setEdited(model.id)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {edited !== null && (
        <ModelDialog opened providers={providers} modelId={edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
