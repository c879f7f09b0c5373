import { Alert, Button, Group, List, Stack, Text } from "@mantine/core";
import type { Role, Schemas } from "../../api";
import { SecondaryButton } from "../../components/variants";
import { SecretLink } from "./SecretLink";

/** The entries of the form. */
export interface Entries {
  email: string;
  name: string;
  role: Role;
  teams: string[];
}

export const NO_ENTRIES: Entries = { email: "", name: "", role: "member", teams: [] };

/** The people who were invited, and the others with the reason. */
export interface Outcome {
  added: Schemas["AddedMember"][];
  failed: { email: string; reason: string }[];
  /** For correcting the addresses that failed. */
  entries: Entries;
}

export function outcomeTitle({ added }: Outcome): string {
  if (added.length === 0) {
    return "Nobody was invited";
  }
  if (added.every(({ updated }) => updated)) {
    const sent = added.some((each) => each.invitation_token) ? "updated" : "updated and sent again";
    return `${added.length > 1 ? "Invitations" : "Invitation"} ${sent}`;
  }
  return added.length > 1 ? "Members invited" : "Member invited";
}

interface Props {
  outcome: Outcome;
  onDone: () => void;
  /** Opens the form again, with these entries. */
  onMore?: (entries: Entries) => void;
}

/** Who was invited, with the links if none are mailed, and who was not. */
export function InviteOutcome({ outcome, onDone, onMore }: Props) {
  const { added, failed, entries } = outcome;
  const names = added.map((each) => each.name).join(", ");
  const byLink = added.some((each) => each.invitation_token);
  const updated = added.filter((each) => each.updated);
  const created = added.filter((each) => !each.updated);
  return (
    <Stack>
      {failed.length > 0 && (
        <Alert color="red" role="alert" title="Not invited">
          <List size="sm">
            {failed.map(({ email, reason }) => (
              <List.Item key={email}>
                {email}: {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {byLink ? (
        <>
          <Alert color="yellow" title={added.length > 1 ? "Send each person their link" : "Send this link"}>
            {added.length > 1 ? "Each link lets its recipient" : `The link lets ${names}`} join with a new
            password or an existing account. {added.length > 1 ? "A link" : "It"} works once, expires after 7
            days, and won’t be shown again. No email server is set up, so the first person to open a link can
            join: send it only to the invited person.
          </Alert>
          {added.map((each) => (
            <SecretLink
              key={each.id}
              label={added.length > 1 ? each.email : "Invitation link"}
              link={`${location.origin}/invitations/${each.invitation_token}`}
            />
          ))}
        </>
      ) : (
        created.length > 0 && (
          <Text size="sm">
            {emailsOf(created)} will receive an email with a link to join with a new password or an existing
            account. The link works once and expires after 7 days.
          </Text>
        )
      )}
      {updated.length > 0 && (
        <Text size="sm">
          {byLink ? "Replaced the invitation of" : "Updated the invitation and sent it again:"}{" "}
          {emailsOf(updated)}. The previous link no longer works.
        </Text>
      )}
      <Group justify="flex-end">
        {onMore && failed.length > 0 && (
          <SecondaryButton
            onClick={() => onMore({ ...entries, email: failed.map(({ email }) => email).join("\n") })}
          >
            Correct the others
          </SecondaryButton>
        )}
        {onMore && failed.length === 0 && (
          <SecondaryButton onClick={() => onMore(NO_ENTRIES)}>Invite another</SecondaryButton>
        )}
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}

const emailsOf = (added: Schemas["AddedMember"][]) => added.map((each) => each.email).join(", ");
