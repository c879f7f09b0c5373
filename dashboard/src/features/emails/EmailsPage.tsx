import { Group, Select, Table, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, ask } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { usePages } from "../../api/pages";
import { EmptyState } from "../../parts/EmptyState";
import { Listing } from "../../parts/Listing";
import { NothingFits } from "../../parts/NothingFits";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { Time } from "../../parts/Time";
import { useFilters } from "../../parts/useFilters";

const STATES = ["KEPT", "PENDING", "SENDING", "SENT", "FAILED", "UNCERTAIN"];

export default function EmailsPage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const state = filters.get("state");
  const pages = usePages(
    ["organization", orgId, "emails", state],
    (after) =>
      ask(
        api.GET("/dashboard/api/organizations/{orgId}/emails", {
          params: { path: { orgId }, query: { state, limit: 50, after } },
        }),
      ),
    { refetchInterval: 15_000 },
  );
  return (
    <Page
      title="E-mails"
      about="What was sent to people about tickets and invitations, for 30 days. Kept ones wait until the operator sets up a mail server."
    >
      <Group className="filters">
        <Select
          label="State"
          placeholder="All"
          clearable
          data={STATES.map((value) => ({ value, label: value.charAt(0) + value.slice(1).toLowerCase() }))}
          value={state ?? null}
          onChange={(value) => filters.set("state", value)}
        />
      </Group>
      <Listing
        pages={pages}
        columns={["Subject", "To", "State", "Written"]}
        minWidth={640}
        empty={
          filters.any ? (
            <NothingFits icon={IconMail} things="e-mails" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconMail} title="No e-mails">
              When an agent opens a ticket, its assignees get one, and it is listed here.
            </EmptyState>
          )
        }
      >
        {(mail) => (
          <Table.Tr key={mail.id}>
            <Table.Td>
              <Link className="rowLink" to={`/organizations/${orgId}/emails/${mail.id}`}>
                {mail.subject}
              </Link>
              {mail.error && (
                <Text size="xs" c="var(--mantine-color-error)">
                  {mail.error}
                </Text>
              )}
            </Table.Td>
            <Table.Td>{mail.to}</Table.Td>
            <Table.Td>
              <Status of={mail.state} />
            </Table.Td>
            <Table.Td>
              <Time at={mail.created_at} relative />
            </Table.Td>
          </Table.Tr>
        )}
      </Listing>
    </Page>
  );
}
