import { Group, Select, Table, Text } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { Link } from "react-router";
import { api, unwrap } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { usePagedQuery } from "../../api/pagination";
import { EmptyState } from "../../components/EmptyState";
import { MailNotice } from "../../components/MailNotice";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { NoMatches } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { StatusLabel, statusText } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { useFilters } from "../../components/useFilters";

const STATES = ["KEPT", "PENDING", "SENDING", "SENT", "FAILED", "UNCERTAIN"];
const KINDS: Record<string, string> = {
  ticket: "Ticket",
  reminder: "Reminder",
  invitation: "Invitation",
  tool: "Sent by an agent",
};

export default function EmailsPage() {
  const orgId = useOrganizationId();
  const filters = useFilters();
  const state = filters.get("state");
  const kind = filters.get("kind");
  const pages = usePagedQuery(
    ["organization", orgId, "emails", state, kind],
    (after) =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/emails", {
          params: { path: { orgId }, query: { state, kind, limit: 50, after } },
        }),
      ),
    { refetchInterval: 15_000 },
  );
  return (
    <Page title="Emails" about="Emails about tickets and invitations from the last 30 days.">
      <MailNotice page="emails">
        Emails marked “Not sent” are sent if an operator sets up email within three days, with the PARLEY_SMTP
        settings.
      </MailNotice>
      {!isBlank(pages, filters.any) && (
        <Group className="filters">
          <Select
            label="About"
            placeholder="All"
            clearable
            data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
            value={kind ?? null}
            onChange={(value) => filters.set("kind", value)}
          />
          <Select
            label="Status"
            placeholder="All"
            clearable
            data={STATES.map((value) => ({ value, label: statusText(value) }))}
            value={state ?? null}
            onChange={(value) => filters.set("state", value)}
          />
        </Group>
      )}
      <PagedTable
        pages={pages}
        columns={["Subject", "To", "About", "Status", "Created"]}
        minWidth={640}
        empty={
          filters.any ? (
            <NoMatches icon={IconMail} things="emails" onClear={filters.clear} />
          ) : (
            <EmptyState icon={IconMail} title="No emails yet">
              When an agent opens a ticket, the email to its assignees appears here.
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
            <Table.Td style={{ overflowWrap: "anywhere" }}>{mail.to}</Table.Td>
            <Table.Td>{KINDS[mail.kind] ?? mail.kind}</Table.Td>
            <Table.Td>
              <StatusLabel status={mail.state} />
            </Table.Td>
            <Table.Td>
              <Time at={mail.created_at} relative />
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
    </Page>
  );
}
