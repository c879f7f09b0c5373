import { Anchor, Button, Group, Stack, Text, Textarea, Timeline, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useRef, type FormEvent } from "react";
import { Link } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useActorName } from "../../api/organization";
import { fieldErrors } from "../../api/problem";
import { ErrorNotice } from "../../components/ErrorNotice";
import { useUnsavedChanges } from "../../components/leaveGuard";
import { FormattedText } from "../../components/Markdown";
import { Time } from "../../components/Time";
import { useDraftText } from "../../components/useLocalDraft";
import { isOpen } from "./ticketState";
import { UnsentEntries } from "./UnsentEntries";
import { useTicketRefresh } from "./useTicketRefresh";

interface Props {
  orgId: string;
  ticket: Schemas["TicketDetails"];
}

/** The effect of a rejection by the resulting status of the ticket. */
const REJECTION_EFFECTS: Record<string, string> = {
  RESOLVED: "The run continued without the task’s outputs.",
  REJECTED: "The task failed.",
  CLOSED: "The task opened a new ticket.",
};

export function TicketHistory({ orgId, ticket }: Props) {
  const nameOf = useActorName();
  return (
    <Stack>
      <Title order={2} size="h5">
        History
      </Title>
      <Timeline bulletSize={12} lineWidth={2}>
        {ticket.history.map((change) => (
          <Timeline.Item key={change.seq}>
            <Text size="sm">
              <b>{capitalized(nameOf(change.by))}</b> {change.change}{" "}
              {change.change === "commented" ? "" : "the ticket "}
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
            {change.detail && <FormattedText>{change.detail}</FormattedText>}
          </Timeline.Item>
        ))}
      </Timeline>
      <CommentForm orgId={orgId} ticket={ticket} />
    </Stack>
  );
}

const capitalized = (name: string) =>
  name === "you" || /^an? /.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name;

function CommentForm({ orgId, ticket }: Props) {
  const [text, setText] = useDraftText(`comment/${ticket.id}`);
  const field = useRef<HTMLTextAreaElement>(null);
  const refresh = useTicketRefresh(orgId, ticket.id);
  useUnsavedChanges(text.trim() !== "" && isOpen(ticket), { kept: true });
  const comment = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/tickets/{ticketId}/comment", {
          params: { path: { orgId, ticketId: ticket.id } },
          body: { text: text.trim() },
        }),
      ),
    onSuccess: (changed) => {
      setText("");
      void refresh(changed);
    },
    onSettled: () => field.current?.focus(),
  });
  if (!isOpen(ticket)) {
    return text.trim() === "" ? null : (
      <UnsentEntries title="Your unsent comment" values={{ comment: text }} onDiscard={() => setText("")} />
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    comment.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          id="ticket-comment"
          ref={field}
          label="Comment"
          autosize
          minRows={2}
          value={text}
          error={fieldErrors(comment.error).at("/text")}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ErrorNotice error={comment.error} fieldPaths={["/text"]} />
        <Group>
          <Button type="submit" variant="default" disabled={text.trim() === ""} loading={comment.isPending}>
            Add comment
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
