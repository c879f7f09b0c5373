import { Card, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconRefresh } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useLocation, useParams } from "react-router";
import { useOrganizationId, useRun, useTicket, type Schemas } from "../../api";
import { Dimmed, LinkButton } from "../../components/variants";
import { FormattedText } from "../../components/Markdown";
import { NeighborButton } from "../../components/NeighborButton";
import { Page } from "../../components/Page";
import { useGoTo } from "../../components/PageLink";
import { QueryBoundary } from "../../components/QueryBoundary";
import { useShortcutHelp, type ShortcutGroup } from "../../components/shortcuts";
import { readFilters } from "./ticketFilters";
import { neighbors as neighborsOf } from "./ticketOrder";
import { rememberOpened } from "./ticketFocus";
import { EarlierSteps, loadEarlierSteps } from "./EarlierSteps";
import { EndedNotice } from "./EndedNotice";
import { PrintButton } from "../../components/PrintButton";
import { Facts, Given } from "./TicketFacts";
import { dueText } from "./ticketTimes";
import { retryOf, type Retry } from "./ticketRetry";
import { TicketHistory } from "./TicketHistory";
import { TicketStatus } from "./TicketStatus";
import { TicketWork } from "./TicketWork";
import { useTicketComment } from "./useTicketComment";
import { runAfterRejection } from "./rejection";
import { isOpen, isRetried } from "./ticketState";
import { useClaim } from "./useClaim";
import { useMinute } from "../../components/useMinute";
import { useShortcutKeys } from "../../components/useShortcutKeys";
import { useTicketCount, useTicketList } from "./useTicketList";
import classes from "./tickets.module.css";

const SHORTCUTS: ShortcutGroup = {
  title: "Ticket",
  shortcuts: [
    ["J", "Next ticket"],
    ["K", "Previous ticket"],
    ["C", "Claim the ticket"],
    ["E", "Edit the answer"],
    ["M", "Write a comment"],
    ["Y", "Answer Yes"],
    ["N", "Answer No"],
    ["Ctrl + Enter", "Complete the ticket, or post the comment"],
  ],
};

const POLL_MS = 5_000;
/** A retried task may open its next ticket soon. */
const SUCCESSOR_POLL_MS = 2_000;
const SUCCESSOR_WAIT_MS = 60_000;

function pollInterval(ticket: Schemas["TicketDetails"] | undefined): number {
  const retried = ticket && isRetried(ticket);
  const ended = Date.parse(ticket?.resolved_at ?? "");
  return retried && Date.now() - ended < SUCCESSOR_WAIT_MS ? SUCCESSOR_POLL_MS : POLL_MS;
}

export default function TicketPage() {
  const { ticketId = "" } = useParams();
  return <LoadedTicket key={ticketId} ticketId={ticketId} />;
}

function LoadedTicket({ ticketId }: { ticketId: string }) {
  const ticket = useTicket(ticketId, { refetchInterval: ({ state }) => pollInterval(state.data) });
  const neighbors = useNeighborKeys(ticketId);
  return (
    <QueryBoundary query={ticket}>
      {(found) => <TicketView ticket={found} neighbors={neighbors} />}
    </QueryBoundary>
  );
}

/** The keys to other tickets, which work before the ticket has loaded, too. */
function useNeighborKeys(ticketId: string) {
  const goTo = useGoTo();
  const { search } = useLocation();
  const neighbors = useNeighbors(ticketId, search);
  const open = (to: Neighbor) => to && void goTo(`tickets/${to.id}${search}`);
  useShortcutKeys({ j: () => open(neighbors.next), k: () => open(neighbors.previous) });
  return neighbors;
}

interface ViewProps {
  ticket: Schemas["TicketDetails"];
  neighbors: ReturnType<typeof useNeighbors>;
}

function TicketView({ ticket, neighbors }: ViewProps) {
  const orgId = useOrganizationId();
  useShortcutHelp(SHORTCUTS);
  const { search } = useLocation();
  const [outcome, setOutcome] = useState<string | null>(null);
  const comment = useTicketComment(ticket.id);
  // The comment that explains the answer is posted with it.
  const end = (text: string) => {
    setOutcome(text);
    if (comment.written) {
      comment.posting.post();
    }
  };
  const { previous, next, position, count } = neighbors;
  const claim = useClaim();
  useEffect(() => rememberOpened(ticket.id), [ticket.id]);
  const list = `/organizations/${orgId}/tickets`;
  useShortcutKeys({
    c: () => {
      if (isOpen(ticket) && ticket.claimed_by === null) {
        claim.mutate(ticket);
      }
    },
    e: () =>
      document
        .querySelector<HTMLElement>("#ticket-form :is(input, textarea, [type=submit]):enabled")
        ?.focus(),
    m: () => document.querySelector<HTMLElement>("#ticket-comment")?.focus(),
  });
  return (
    <Page
      title={`#${ticket.number} ${ticket.title}`}
      back={{ to: `${list}${search}`, label: "Tickets" }}
      badge={
        <>
          <TicketStatus ticket={{ ...ticket, retried: isRetried(ticket) }} />
          {ticket.test_run && (
            <span className="status" title="The run is a test of a draft.">
              Test
            </span>
          )}
          <OverdueLabel ticket={ticket} />
        </>
      }
      actions={
        <Group gap={8} className="screenOnly">
          <Group component="nav" aria-label="Other tickets" gap={8}>
            {position > 0 && (
              <Dimmed>
                {position} of {count}
              </Dimmed>
            )}
            <NeighborButton label="Previous" to={previous && `${list}/${previous.id}${search}`} />
            <NeighborButton label="Next" to={next && `${list}/${next.id}${search}`} />
          </Group>
          <PrintButton prepare={() => loadEarlierSteps(orgId, ticket)} />
        </Group>
      }
    >
      <div className={classes.page}>
        <Stack gap="lg" className={classes.work}>
          {outcome ? (
            <Outcome ticket={ticket} text={outcome} list={list} search={search} next={next} />
          ) : (
            <EndedNotice ticket={ticket} />
          )}
          {ticket.description && <FormattedText>{ticket.description}</FormattedText>}
          <Given ticket={ticket} />
          <EarlierSteps ticket={ticket} />
          <TicketWork ticket={ticket} hasComment={comment.written} onDone={end} />
        </Stack>
        <div className={classes.details}>
          <Facts ticket={ticket} />
        </div>
        <div className={classes.history}>
          <TicketHistory ticket={ticket} comment={comment} />
        </div>
      </div>
    </Page>
  );
}

type Neighbor = Schemas["TicketSummary"] | undefined;

/** The tickets before and after this one in the list that the person came from. */
function useNeighbors(ticketId: string, search: string) {
  const filters = readFilters(new URLSearchParams(search));
  const { items } = useTicketList(filters, { poll: false });
  const count = useTicketCount(filters);
  // A ticket that leaves the list keeps its position in the list as it was.
  const [opened, setOpened] = useState({ order: [] as string[], count: "" });
  if (opened.order.length === 0 && items.length > 0) {
    setOpened({ ...opened, order: items.map(({ id }) => id) });
  }
  if (opened.count === "" && count !== "") {
    setOpened({ ...opened, count });
  }
  const isListed = items.some(({ id }) => id === ticketId);
  return { ...neighborsOf(items, opened.order, ticketId), count: isListed ? count : opened.count };
}

interface OutcomeProps {
  ticket: Schemas["TicketDetails"];
  text: string;
  list: string;
  search: string;
  next: Neighbor;
}

const RETRY_TEXTS: Record<Retry, string> = {
  running: "Retrying the task.",
  failed: "The task failed again.",
  completed: "The task completed. The run continues.",
};

const OUTCOME_ICONS = {
  running: <IconRefresh size={20} aria-hidden />,
  failed: <IconAlertTriangle size={20} aria-hidden color="var(--mantine-color-error)" />,
  completed: <IconCircleCheck size={20} aria-hidden color="var(--tone-good-fg)" />,
};

/** The result of the person's action, and a link to the next ticket, which gets the focus. */
function Outcome({ ticket, text, list, search, next }: OutcomeProps) {
  const { data: run } = useRun(ticket.workflow_instance_id);
  const retry = retryOf(ticket, run?.tasks);
  const isRejected = ticket.rule_type !== "Exception" && !ticket.tool_call && hasRejection(ticket);
  const effect = isRejected ? runAfterRejection(ticket, run?.status) : "";
  const successor = retry === "failed" || isRejected ? ticket.replaced_by : null;
  const icon = retry ?? (effect && run?.status === "FAILED" ? "failed" : "completed");
  return (
    <Card withBorder role="status" bg="var(--parley-raised)" className={classes.outcome} ref={intoView}>
      <Group gap="xs" mb="sm">
        {OUTCOME_ICONS[icon]}
        <Text fw={600}>{retry ? RETRY_TEXTS[retry] : [text, effect].filter(Boolean).join(" ")}</Text>
      </Group>
      <Group gap="xs">
        {successor && <LinkButton to={`${list}/${successor}${search}`}>Open the new ticket</LinkButton>}
        {next && (
          <LinkButton
            variant={successor ? "default" : "filled"}
            to={`${list}/${next.id}${search}`}
            ref={focusOnMount}
          >
            Next ticket: #{next.number} {next.title}
          </LinkButton>
        )}
        <LinkButton variant="default" to={`${list}${search}`} ref={next ? undefined : focusOnMount}>
          Back to tickets
        </LinkButton>
      </Group>
    </Card>
  );
}

const hasRejection = ({ history }: Schemas["TicketDetails"]) =>
  history.some(({ change }) => change === "rejected");

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: "nearest" });
const focusOnMount = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

function OverdueLabel({ ticket }: { ticket: Schemas["TicketDetails"] }) {
  const now = useMinute();
  const due = ticket.due_at && isOpen(ticket) ? dueText(ticket.due_at, now, false) : null;
  return due?.overdue ? (
    <span className="status" data-tone="bad">
      {due.text}
    </span>
  ) : null;
}
