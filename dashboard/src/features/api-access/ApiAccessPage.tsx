import { Anchor, Button, Code, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconApi, IconPlus } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { Confirm } from "../../parts/Confirm";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { Page } from "../../parts/Page";
import { useDialog } from "../../parts/useDialog";
import { queryClient } from "../../queryClient";
import { KeyRow } from "./KeyRow";
import { NewKeyDialog } from "./NewKeyDialog";

export default function ApiAccessPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const key = ["organization", orgId, "api-keys"];
  const pages = usePages(key, (after) =>
    ask(
      api.GET("/dashboard/api/organizations/{orgId}/api-keys", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const dialog = useDialog("new-key");
  const [revoking, setRevoking] = useState<Schemas["ApiKey"] | null>(null);
  const revoke = useMutation({
    mutationFn: (keyId: string) =>
      ask(
        api.DELETE("/dashboard/api/organizations/{orgId}/api-keys/{keyId}", {
          params: { path: { orgId, keyId } },
        }),
      ),
    onSuccess: async () => {
      notifications.show({ message: `The key “${revoking?.name}” is revoked.` });
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
          Programs use the <Anchor href="/docs">Developer API</Anchor> with a key. Use one key per
          integration, and restrict it to a team or an agent where you can.
        </>
      }
      actions={create}
    >
      <Listing
        pages={pages}
        columns={["Name", "Key", "Restricted to", "Expires", "Last used", "Created", { unseen: "Actions" }]}
        minWidth={720}
        empty={
          <EmptyState icon={IconApi} title="No API keys yet" action={create}>
            {isAdmin
              ? "Create one to send messages and run agents from your own programs."
              : "An owner or admin of the organization can create one."}
          </EmptyState>
        }
      >
        {(each) => (
          <KeyRow key={each.id} of={each} onRevoke={isAdmin ? () => setRevoking(each) : undefined} />
        )}
      </Listing>
      <NewKeyDialog orgId={orgId} opened={isAdmin && dialog.opened} onClose={dialog.close} />
      <Confirm
        opened={revoking !== null}
        title="Revoke this key?"
        action="Revoke key"
        sending={revoke}
        onConfirm={() => revoking && revoke.mutate(revoking.id)}
        onClose={() => setRevoking(null)}
      >
        <Text size="sm">
          “{revoking?.name}” (<Code>{revoking?.prefix}…</Code>) stops working at once, for every program that
          uses it. This cannot be undone.
        </Text>
      </Confirm>
    </Page>
  );
}
