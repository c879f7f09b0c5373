import { Card, Group, List, Stack, Switch, Text, ThemeIcon, Title, UnstyledButton } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconChevronDown } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useEnableProvider, useRefreshProvider, useRemoveProvider, type Schemas } from "../../api";
import { Dimmed, SmallButton, ErrorText } from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { ErrorNotice } from "../../components/ErrorNotice";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { UsageWarning } from "../../components/UsedBy";
import { counted } from "../../components/counted";
import { credentialNames } from "./credentials";
import { EditProviderDialog } from "./EditProviderDialog";
import { KIND_ICONS, KIND_LABELS, providerName } from "./providerKinds";
import { ToolTable } from "./ToolTable";
import classes from "./tools.module.css";

interface Props {
  provider: Schemas["ToolProvider"];
  isAdmin: boolean;
  /** Whether a link to the provider opened the page. */
  isLinked: boolean;
}

/** A provider with its status and its tools. Admins can change, refresh and remove it. */
export function ProviderGroup({ provider, isAdmin, isLinked }: Props) {
  const isBuiltIn = provider.kind === "builtin" || provider.kind === "workflow";
  // Agents have a page of their own.
  const [opened, tools] = useDisclosure(isLinked || provider.kind !== "workflow");
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isLinked) {
      // Newer browsers return a promise, which an effect must not return.
      void card.current?.scrollIntoView({ block: "start" });
    }
  }, [isLinked]);
  const name = providerName(provider.name);
  const Picture = KIND_ICONS[provider.kind];
  const description =
    provider.kind === "workflow" ? "Published agents, which App tasks run like tools." : provider.description;
  return (
    <Card
      ref={card}
      withBorder
      padding="md"
      component="section"
      aria-label={name}
      className={classes.provider}
    >
      <Stack gap={6}>
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="sm" align="flex-start" wrap="nowrap" style={{ minWidth: 0, flex: "1 1 320px" }}>
            <ThemeIcon variant="light" size={34} radius="md" aria-hidden>
              <Picture size={20} />
            </ThemeIcon>
            <div style={{ minWidth: 0 }}>
              <Group gap="xs">
                <Title order={2} size="md">
                  <UnstyledButton
                    className={classes.toggle}
                    aria-expanded={opened}
                    disabled={provider.tools === 0}
                    onClick={tools.toggle}
                  >
                    {name}
                    {provider.tools > 0 && (
                      <IconChevronDown size={16} aria-hidden className={classes.chevron} data-open={opened} />
                    )}
                  </UnstyledButton>
                </Title>
                {(!isBuiltIn || !provider.enabled) && (
                  <StatusLabel status={provider.enabled ? provider.status : "Disabled"} />
                )}
              </Group>
              <Dimmed component="div" style={{ overflowWrap: "anywhere" }}>
                {counted(provider.tools, "tool")}
                {description && ` · ${description}`}
              </Dimmed>
              {!isBuiltIn && <Origin of={provider} />}
            </div>
          </Group>
          {isAdmin && !isBuiltIn && <ProviderActions provider={provider} />}
        </Group>
        {provider.error && <ErrorText style={{ overflowWrap: "anywhere" }}>{provider.error}</ErrorText>}
        {provider.warnings.length > 0 && <Warnings of={provider.warnings} />}
        {opened && provider.tools > 0 && <ToolTable providerId={provider.id} />}
      </Stack>
    </Card>
  );
}

/** Where the tools come from, and when they were last read. */
function Origin({ of: provider }: { of: Schemas["ToolProvider"] }) {
  return (
    <Dimmed component="div" style={{ overflowWrap: "anywhere" }}>
      {KIND_LABELS[provider.kind]}
      {provider.url && ` · ${provider.url}`}
      {provider.command && ` · command ${provider.command}`}
      {provider.uploaded && " · uploaded document"}
      {provider.credentials_set.length > 0 && ` · credentials: ${credentialNames(provider.credentials_set)}`}
      {provider.refreshed_at && (
        <>
          {provider.status === "FAILED" ? " · last refresh failed " : " · refreshed "}
          <Time at={provider.refreshed_at} relative />
        </>
      )}
    </Dimmed>
  );
}

function Warnings({ of: warnings }: { of: string[] }) {
  return (
    <details>
      <Text size="sm" component="summary" style={{ cursor: "pointer" }}>
        {counted(warnings.length, "warning")} of the last refresh
      </Text>
      <List size="sm" mt={4}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </details>
  );
}

function ProviderActions({ provider }: Pick<Props, "provider">) {
  const [dialog, setDialog] = useState<"edit" | "remove" | null>(null);
  const refresh = useRefreshProvider(provider.id, {
    onSuccess: (found) =>
      void notifications.show(
        found.status === "READY"
          ? { message: `${found.name} refreshed: ${counted(found.tools, "tool")}.` }
          : { message: `${found.name} can’t be refreshed.`, color: "red" },
      ),
  });
  const enable = useEnableProvider(provider.id);
  const remove = useRemoveProvider(provider.id);
  return (
    <>
      <Group gap="xs">
        <Switch
          label="Enabled"
          aria-label={`Enable ${provider.name}`}
          checked={provider.enabled}
          disabled={enable.isPending}
          onChange={(event) => enable.mutate(event.currentTarget.checked)}
        />
        {provider.enabled && (
          <SmallButton loading={refresh.isPending} onClick={() => refresh.mutate()}>
            Refresh now
          </SmallButton>
        )}
        <SmallButton onClick={() => setDialog("edit")}>Edit</SmallButton>
        <SmallButton onClick={() => setDialog("remove")}>Remove</SmallButton>
      </Group>
      <ErrorNotice error={refresh.error ?? enable.error} />
      <EditProviderDialog provider={provider} opened={dialog === "edit"} onClose={() => setDialog(null)} />
      <ConfirmDialog
        opened={dialog === "remove"}
        title={`Remove “${provider.name}”?`}
        action="Remove provider"
        mutation={remove}
        onConfirm={() => remove.mutate()}
        onClose={() => setDialog(null)}
      >
        Its credentials are deleted, and tasks that use its tools fail. To pause it, disable it instead.
        {dialog === "remove" && <UsageWarning kind="tool_provider" id={provider.id} />}
      </ConfirmDialog>
    </>
  );
}
