import { Button, Modal, Table } from "@mantine/core";
import { IconCode, IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, ask } from "../../api/client";
import { useActorName, useIsAdmin, useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { Page } from "../../parts/Page";
import { Time } from "../../parts/Time";
import { useDialog } from "../../parts/useDialog";
import { NewArtifact } from "./NewArtifact";

export default function CodePage() {
  const orgId = useOrganizationId();
  const nameOf = useActorName();
  const isAdmin = useIsAdmin();
  const dialog = useDialog("new-code");
  const pages = usePages(["organization", orgId, "code-artifacts"], (after) =>
    ask(
      api.GET("/dashboard/api/organizations/{orgId}/code-artifacts", {
        params: { path: { orgId }, query: { limit: 50, after } },
      }),
    ),
  );
  const create = isAdmin && (
    <Button leftSection={<IconPlus size={16} />} onClick={dialog.open}>
      New code
    </Button>
  );
  return (
    <Page
      title="Code"
      about="JavaScript and Python that Coder tasks run, in a sandbox without network and files."
      actions={create}
    >
      <Listing
        pages={pages}
        columns={["Name", "Id", "Language", "Version", "Changed"]}
        minWidth={560}
        empty={
          <EmptyState icon={IconCode} title="No code yet" action={create}>
            {isAdmin
              ? "Write a function, run it dry, and name it in a Coder task of an agent."
              : "An owner or admin of the organization can write the first."}
          </EmptyState>
        }
      >
        {(artifact) => (
          <Table.Tr key={artifact.id}>
            <Table.Td>
              <Link className="rowLink" to={`/organizations/${orgId}/code/${artifact.id}`}>
                {artifact.name}
              </Link>
            </Table.Td>
            <Table.Td data-label="Id">{artifact.id}</Table.Td>
            <Table.Td>{artifact.language === "python" ? "Python" : "JavaScript"}</Table.Td>
            <Table.Td>version {artifact.version}</Table.Td>
            <Table.Td>
              <Time at={artifact.updated_at} relative /> by {nameOf(artifact.created_by)}
            </Table.Td>
          </Table.Tr>
        )}
      </Listing>
      <Modal opened={isAdmin && dialog.opened} onClose={dialog.close} title="New code">
        <NewArtifact orgId={orgId} />
      </Modal>
    </Page>
  );
}
