import { Group, Stack, Text, Timeline } from "@mantine/core";
import { useRef, type FormEvent, type KeyboardEvent } from "react";
import { TextLink } from "../../components/PageLink";
import { fieldErrors, useMembers, type Schemas } from "../../api";
import { useActorName } from "../../components/actorNames";
import { CardHeading, Dimmed, SecondaryButton, DimmedXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { FormattedText } from "../../components/Markdown";
import { Time } from "../../components/Time";
import { CommentField } from "./CommentField";
import { nameAtStart } from "./nameAtStart";
import { reassignmentText } from "./reassignmentText";
import { useAssigneeNames } from "./useAssigneeNames";
import type { TicketComment } from "./useTicketComment";

interface Props {
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

export function TicketHistory({ ticket, comment }: Props) {
  const nameOf = useActorName();
  const assigneeNames = useAssigneeNames();
  const { data: members = [] } = useMembers();
  return (
    <Stack>
      <CardHeading>History</CardHeading>
      <Timeline bulletSize={12} lineWidth={2}>
        {ticket.history.map((change) => (
          <Timeline.Item key={change.seq}>
            <Text size="sm">
              <b>{nameAtStart(nameOf(change.by))}</b> {VERBS[change.change] ?? change.change}{" "}
              {change.change === "commented" ? "" : change.change === "retried" ? "the task " : "the ticket "}
              {change.change === "reassigned" && `${reassignmentText(change, assigneeNames)} `}
              {change.change === "replaced" && (
                <>
                  with <TextLink to={`tickets/${change.to}`}>a new one</TextLink>{" "}
                </>
              )}
              <Dimmed span>
                · <Time at={change.at} />
              </Dimmed>
            </Text>
            {change.change === "rejected" && change.to && REJECTION_EFFECTS[change.to] && (
              <Dimmed>{REJECTION_EFFECTS[change.to]}</Dimmed>
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
      <CommentForm ticket={ticket} comment={comment} />
    </Stack>
  );
}

function CommentForm({ ticket, comment }: Props) {
  const { text, setText, written, mention, posting } = comment;
  const field = useRef<HTMLTextAreaElement>(null);
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (written && !posting.isPending) {
      posting.post({ onSettled: () => field.current?.focus() });
    }
  };
  return (
    <form onSubmit={submit} className="screenOnly">
      <Stack gap="xs">
        <CommentField
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
          <SecondaryButton type="submit" disabled={!written} loading={posting.isPending}>
            Add comment
          </SecondaryButton>
          <DimmedXs visibleFrom="sm">Ctrl+Enter. Type @ to mention a person.</DimmedXs>
        </Group>
      </Stack>
    </form>
  );
}
