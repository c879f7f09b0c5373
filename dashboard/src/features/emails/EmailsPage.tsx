import { Group, Table } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { TextLink, RowLink } from "../../components/PageLink";
import { useEmails, type Schemas } from "../../api";
import { Dimmed, ErrorXs } from "../../components/variants";
import { formatCount } from "../../components/formatNumbers";
import { countSet, FilterBar } from "../../components/FilterBar";
import { MailNotice } from "../../components/MailNotice";
import { isBlank, PagedTable } from "../../components/PagedTable";
import { EmptyList } from "../../components/NoMatches";
import { Page } from "../../components/Page";
import { SearchField } from "../../components/SearchField";
import { StatusLabel, statusText } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { TimeFilter } from "../../components/TimeFilter";
import { SelectFilter } from "../../components/filters";
import { optionsOf } from "../../components/optionsOf";
import { useFilters } from "../../components/useFilters";
import { listShortcuts, useListKeys } from "../../components/useListKeys";
import { useTimeSpan } from "../../components/useTimeSpan";

const STATES = ["FAILED", "UNCERTAIN", "KEPT", "PENDING", "SENDING", "SENT"] satisfies Schemas["MailState"][];
const KINDS: Record<string, string> = {
  ticket: "Ticket",
  reminder: "Reminder",
  invitation: "Invitation",
  tool: "Sent by an agent",
  budget: "Budget",
};

const SHORTCUTS = listShortcuts("Emails", "email", "emails");

export default function EmailsPage() {
  useListKeys(SHORTCUTS);
  const filters = useFilters();
  const state = STATES.find((each) => each === filters.get("state"));
  const kind = filters.get("kind");
  const search = filters.get("search");
  const span = useTimeSpan();
  const query = { state: state && [state], kind, search, ...span };
  const { pages, total } = useEmails(query);
  return (
    <Page title="Emails" about="Emails about tickets and invitations from the last 30 days.">
      <MailNotice page="emails">
        Emails marked “Not sent” are sent if an operator sets up email within three days, with the PARLEY_SMTP
        settings.
      </MailNotice>
      {!isBlank(pages, filters.any) && (
        <FilterBar
          labelled
          used={countSet([state, kind, filters.get("time")])}
          clearable
          search={<SearchField label="Search" placeholder="Recipient or subject" maxLength={200} />}
          after={
            total.data && (
              <Dimmed pb={8} role="status">
                {formatCount(total.data.count)}
                {total.data.or_more ? " or more" : ""} {total.data.count === 1 ? "email" : "emails"}
              </Dimmed>
            )
          }
        >
          <SelectFilter param="kind" label="About" data={optionsOf(KINDS)} />
          <SelectFilter
            param="state"
            label="Status"
            data={STATES.map((value) => ({ value, label: statusText(value) }))}
          />
          <TimeFilter />
        </FilterBar>
      )}
      <PagedTable
        pages={pages}
        columns={["Subject", "To", "About", "Status", "Created"]}
        minWidth={640}
        empty={
          <EmptyList things="emails" icon={IconMail} title="No emails yet">
            When an agent opens a ticket, the email to its assignees appears here.
          </EmptyList>
        }
      >
        {(mail) => (
          <Table.Tr key={mail.change}>
            <Table.Td>
              <RowLink to={`emails/${mail.id}`}>{mail.subject}</RowLink>
              {mail.error && <ErrorXs>{mail.error}</ErrorXs>}
            </Table.Td>
            <Table.Td>
              <Recipients mail={mail} />
            </Table.Td>
            <Table.Td>
              {mail.ticket_id ? (
                <TextLink style={{ whiteSpace: "nowrap" }} to={`tickets/${mail.ticket_id}`}>
                  {kindOf(mail)} {mail.ticket_number && `#${mail.ticket_number}`}
                </TextLink>
              ) : (
                kindOf(mail)
              )}
            </Table.Td>
            <Table.Td>
              <States mail={mail} />
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

const kindOf = (mail: Schemas["EmailListItem"]) => KINDS[mail.kind] ?? mail.kind;

const countOf = (mail: Schemas["EmailListItem"]) =>
  Object.values(mail.states).reduce((sum, count) => sum + count, 0);

/** One address, and the number of others: "ada@acme.example, +3". */
function Recipients({ mail }: { mail: Schemas["EmailListItem"] }) {
  const others = countOf(mail) - 1;
  return (
    <span
      style={{ overflowWrap: "anywhere" }}
      title={mail.to.join(", ") + (countOf(mail) > mail.to.length ? ", …" : "")}
    >
      {mail.to[0]}
      {others > 0 && (
        <Dimmed span style={{ whiteSpace: "nowrap" }}>
          , +{others}
        </Dimmed>
      )}
    </span>
  );
}

/** The state that all recipients share, or the number of recipients in each. */
function States({ mail }: { mail: Schemas["EmailListItem"] }) {
  const states = STATES.filter((state) => mail.states[state]);
  return (
    <Group gap={4}>
      {states.map((state) => (
        <StatusLabel key={state} status={state} count={states.length > 1 ? mail.states[state] : undefined} />
      ))}
    </Group>
  );
}
