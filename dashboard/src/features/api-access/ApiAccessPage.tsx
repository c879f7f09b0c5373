import { Anchor, Code, Group, Switch, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconApi, IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useApiKeys, useIsAdmin, useRevokeApiKey, type Schemas } from "../../api";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyList } from "../../components/NoMatches";
import { PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { useDialog } from "../../components/useDialog";
import { useFilters } from "../../components/useFilters";
import { AddButton } from "../../components/variants";
import { KeyDialog } from "./KeyDialog";
import { KeyRow } from "./KeyRow";
import { RenameKeyDialog } from "./RenameKeyDialog";

type Key = Schemas["ApiKey"];

const COLUMNS = [
  "Name",
  "Key",
  "Restricted to",
  "Expires",
  "Last used",
  "Created",
  { hiddenLabel: "Actions", width: 60 },
];

export default function ApiAccessPage() {
  const isAdmin = useIsAdmin();
  const filters = useFilters();
  const search = filters.get("search") ?? "";
  const [searched] = useDebouncedValue(search.trim(), 250);
  const all = filters.get("inactive") === "true";
  const pages = useApiKeys(searched, all);
  const dialog = useDialog("new-key");
  const [rolling, setRolling] = useState<Key | null>(null);
  const [renaming, setRenaming] = useState<Key | null>(null);
  const [revoking, setRevoking] = useState<Key | null>(null);
  const revoke = useRevokeApiKey({
    done: () => `API key “${revoking?.name}” revoked.`,
    onSuccess: () => setRevoking(null),
  });
  const create = isAdmin && <AddButton onClick={dialog.open}>Create new API key</AddButton>;
  return (
    <Page
      title="API Keys"
      about={
        <>
          Authenticate your integrations with the <Anchor href="/docs">Developer API</Anchor>. Use one key per
          integration, and restrict it to a team or an agent where you can.
        </>
      }
      actions={create}
    >
      <Group className="filters">
        <TextInput
          type="search"
          aria-label="Search API keys"
          placeholder="Search by name or key"
          leftSection={<IconSearch size={16} />}
          w={280}
          maxLength={200}
          value={search}
          onChange={(event) => filters.set("search", event.currentTarget.value || null)}
        />
        <Switch
          label="Show revoked and expired"
          checked={all}
          onChange={(event) => filters.set("inactive", event.currentTarget.checked ? "true" : null)}
        />
      </Group>
      <PagedTable
        pages={pages}
        columns={COLUMNS}
        minWidth={820}
        empty={
          <EmptyList
            things="API keys"
            filtered={searched !== ""}
            icon={IconApi}
            title={all ? "No API keys yet" : "No active API keys"}
            action={create}
          >
            {isAdmin
              ? "Create one to send messages and run agents from your own code."
              : "Ask an owner or admin to create one."}
          </EmptyList>
        }
      >
        {(each) => (
          <KeyRow
            key={each.id}
            of={each}
            onRename={() => setRenaming(each)}
            onRoll={() => setRolling(each)}
            onRevoke={() => setRevoking(each)}
          />
        )}
      </PagedTable>
      {isAdmin && (
        <KeyDialog
          creating={dialog.opened}
          rolling={rolling}
          onClose={() => {
            dialog.close();
            setRolling(null);
          }}
        />
      )}
      <RenameKeyDialog of={renaming} onClose={() => setRenaming(null)} />
      <ConfirmDialog
        opened={revoking !== null}
        title="Revoke this API key?"
        action="Revoke key"
        mutation={revoke}
        onConfirm={() => revoking && revoke.mutate(revoking.id)}
        onClose={() => setRevoking(null)}
      >
        “{revoking?.name}” (<Code>{revoking?.prefix}…</Code>) stops working immediately for every integration
        that uses it. This can’t be undone.
      </ConfirmDialog>
    </Page>
  );
}
