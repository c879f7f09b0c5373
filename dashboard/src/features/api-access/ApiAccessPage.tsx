import { Anchor, Button, Code, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconApi, IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { EmptyState } from "../../components/EmptyState";
import { PagedTable } from "../../components/PagedTable";
import { Page } from "../../components/Page";
import { useDialog } from "../../components/useDialog";
import { queryClient } from "../../queryClient";
import { KeyRow } from "./KeyRow";
import { NewKeyDialog } from "./NewKeyDialog";

export default function ApiAccessPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const key = ["organization", orgId, "api-keys"];
  const pages = usePagedQuery(key, (after) =>
    unwrap(
      api.GET("/dashboard/api/organizations/{orgId}/api-keys", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const dialog = useDialog("new-key");
  const [revoking, setRevoking] = useState<Schemas["ApiKey"] | null>(null);
  const revoke = useMutation({
    mutationFn: (keyId: string) =>
      unwrap(
        api.DELETE("/dashboard/api/organizations/{orgId}/api-keys/{keyId}", {
          params: { path: { orgId, keyId } },
        }),
      ),
    onSuccess: async () => {
      notifications.show({ message: `API key “${revoking?.name}” revoked.` });
      setRevoking(null);
      await queryClient.invalidateQueries({ queryKey: key });
    },
  });
  const create = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      Create new API key
    </Button>
  );
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
      <PagedTable
        pages={pages}
        columns={[
          "Name",
          "Key",
          "Restricted to",
          "Expires",
          "Last used",
          "Created",
          { hiddenLabel: "Actions" },
        ]}
        minWidth={720}
        empty={
          <EmptyState icon={IconApi} title="No API keys yet" action={create}>
            {isAdmin
              ? "Create one to send messages and run agents from your own code."
              : "Ask an owner or admin to create one."}
          </EmptyState>
        }
      >
        {(each) => (
          <KeyRow key={each.id} of={each} onRevoke={isAdmin ? () => setRevoking(each) : undefined} />
        )}
      </PagedTable>
      <NewKeyDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
      <ConfirmDialog
        opened={revoking !== null}
        title="Revoke this API key?"
        action="Revoke key"
        mutation={revoke}
        onConfirm={() => revoking && revoke.mutate(revoking.id)}
        onClose={() => setRevoking(null)}
      >
        <Text size="sm">
          “{revoking?.name}” (<Code>{revoking?.prefix}…</Code>) stops working immediately for every
          integration that uses it. This can’t be undone.
        </Text>
      </ConfirmDialog>
    </Page>
  );
}
