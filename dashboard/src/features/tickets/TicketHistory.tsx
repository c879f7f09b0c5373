import { Anchor, Button, Group, Stack, Text, Timeline, Title } from "@mantine/core";
import { useRef, type FormEvent, type KeyboardEvent } from "react";
import { Link } from "react-router";
import type { Schemas } from "../../api/client";
import { useActorName } from "../../api/organization";
import { useMembers } from "../../api/queries";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { FormattedText } from "../../components/Markdown";
import { Time } from "../../components/Time";
import { CommentField } from "./CommentField";
import { nameAtStart } from "./nameAtStart";
import { reassignmentText } from "./reassignmentText";
import { useAssigneeNames } from "./useAssigneeNames";
import type { TicketComment } from "./useTicketComment";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
  comment: TicketComment;
}

/** The effect of a rejection by the resulting status of the ticket. */
const REJECTION_EFFECTS: Record<string, string> = {
  RESOLVED: "The run continued without the task’s outputs.",
  REJECTED: "The task failed.",
  CLOSED: "The task opened a new ticket.",
};

/** The verbs that are not the name of the change. */
const VERBS: Record<string, string> = { created: "opened", taken_over: "took over" };

export function TicketHistory({ orgId, ticket, comment }: Props) {
  const nameOf = useActorName();
  const assigneeNames = useAssigneeNames(orgId);
  const { data: members = [] } = useMembers(orgId);
  return (
    <Stack>
      <Title order={2} size="h5">
        History
      </Title>
      <Timeline bulletSize={12} lineWidth={2}>
        {ticket.history.map((change) => (
          <Timeline.Item key={change.seq}>
            <Text size="sm">
              <b>{nameAtStart(nameOf(change.by))}</b> {VERBS[change.change] ?? change.change}{" "}
              {change.change === "commented" ? "" : change.change === "retried" ? "the task " : "the ticket "}
              {change.change === "reassigned" && `${reassignmentText(change, assigneeNames)} `}
              {change.change === "replaced" && (
                <>
                  with{" "}
                  <Anchor component={Link} inherit to={`/organizations/${orgId}/tickets/${change.to}`}>
                    a new one
                  </Anchor>{" "}
                </>
              )}
              <Text span size="sm" c="dimmed">
                · <Time at={change.at} />
              </Text>
            </Text>
            {change.change === "rejected" && change.to && REJECTION_EFFECTS[change.to] && (
              <Text size="sm" c="dimmed">
                {REJECTION_EFFECTS[change.to]}
              </Text>
            )}
            {change.detail && (
              <FormattedText
                mentions={members.filter(({ id }) => change.mentions.includes(id)).map(({ name }) => name)}
              >
                {change.detail}
              </FormattedText>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      <CommentForm orgId={orgId} ticket={ticket} comment={comment} />
    </Stack>
  );
}

function CommentForm({ orgId, ticket, comment }: Props) {
  const { text, setText, written, mention, posting } = comment;
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (written && !posting.isPending) {
      posting.mutate(undefined, { onSettled: () => field.current?.focus() });
    }
  };
  return (
    <form onSubmit={submit} className="screenOnly">
      <Stack gap="xs">
        <CommentField
          orgId={orgId}
          ticket={ticket}
          text={text}
          setText={setText}
          error={fieldErrors(posting.error).at("/text")}
          fieldRef={field}
          onMention={mention}
          onSubmitKey={submit}
        />
        <ErrorNotice error={posting.error} fieldPaths={["/text"]} />
        <Group>
          <Button type="submit" variant="default" disabled={!written} loading={posting.isPending}>
            Add comment
          </Button>
          <Text size="xs" c="dimmed" visibleFrom="sm">
            Ctrl+Enter. Type @ to mention a person.
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
