import { MultiSelect, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import {
  refetch,
  sendInvitation,
  useMe,
  useMembers,
  useOrganizationId,
  useTeams,
  type Role,
  type Schemas,
} from "../../api";
import { SecondaryButton, WrappedText } from "../../components/variants";
import { Form } from "../../components/Form";
import { NO_ENTRIES, type Entries, type Outcome } from "./InviteOutcome";
import { addressError, checkInvitees, inviteesOf, isInvitable, type CheckedInvitee } from "./invitees";
import { ROLE_HINTS, useRoles } from "./roles";

interface Props {
  initial: Entries;
  onInvited: (outcome: Outcome) => void;
  /** Offers a reset link for a person who is a member already. */
  onReset: (member: Schemas["Member"]) => void;
}

/** The people to invite, their role and their teams. */
export function InviteForm({ initial, onInvited, onReset }: Props) {
  const orgId = useOrganizationId();
  const form = useForm({ initialValues: initial, validate: { email: addressError } });
  // The form counts a field as touched as soon as it has the focus.
  const [chosen, setChosen] = useState({
    role: initial.role !== NO_ENTRIES.role,
    teams: initial.teams.length > 0,
  });
  const [leftEmail, setLeftEmail] = useState(false);
  const roles = useRoles();
  const { data: members = [] } = useMembers();
  const { data: teams = [] } = useTeams();
  const isMailed = useMe().data?.emails_sent ?? true;
  const invitees = checkInvitees(inviteesOf(form.values.email, form.values.name), members, isMailed);
  const several = invitees.length > 1;
  const invitable = invitees.filter(isInvitable);
  const [only] = invitees;
  const pending = !several && only?.state === "invited" ? only.member : undefined;
  // Role and teams of an open invitation stay unless they are changed here.
  const role = pending && !chosen.role ? pending.role : form.values.role;
  const chosenTeams = pending && !chosen.teams ? pending.team_ids.map(String) : form.values.teams;
  const inviteOne = ({ email, name, state }: CheckedInvitee) =>
    sendInvitation(orgId, {
      email,
      name,
      role,
      ...((state !== "invited" || chosen.teams) && { team_ids: chosenTeams.map(Number) }),
    });
  const invite = useMutation({
    mutationFn: async (entries: Entries): Promise<Outcome> =>
      several
        ? inviteAll(invitees, inviteOne, entries)
        : {
            added: [await inviteOne(only ?? { email: "", name: entries.name, state: "new" })],
            failed: [],
            entries,
          },
    onSuccess: async (outcome) => {
      onInvited(outcome);
      await refetch(orgId, "members");
      await refetch(orgId, "teams");
    },
  });
  const existing = !several && only?.state === "member" ? only.member : undefined;
  const email = form.getInputProps("email");
  return (
    <Form
      form={form}
      mutation={invite}
      action={actionFor(several ? invitable.length : null, pending !== undefined, isMailed)}
      button={{ disabled: several && invitable.length === 0 }}
    >
      <Textarea
        label="Email"
        description="One address per line to invite several people"
        required
        data-autofocus
        autosize
        minRows={1}
        maxRows={8}
        {...email}
        onBlur={() => setLeftEmail(true)}
      />
      <InviteeNotes
        // A line that is still being typed is not yet wrong.
        invitees={invitees.filter(
          ({ state }, index) =>
            state !== "invalid" || (several && (leftEmail || index < invitees.length - 1)),
        )}
        role={role}
        several={several}
        isMailed={isMailed}
      />
      {existing && (
        <SecondaryButton onClick={() => onReset(existing)}>
          Create reset link for {existing.name}
        </SecondaryButton>
      )}
      {!several && !only?.member && (
        <TextInput
          label="Name"
          description="Leave blank to use the email name"
          placeholder={only?.state === "new" ? only.name : undefined}
          {...form.getInputProps("name")}
        />
      )}
      <Select
        label="Role"
        data={roles}
        allowDeselect={false}
        inputWrapperOrder={["label", "input", "description", "error"]}
        description={ROLE_HINTS[role]}
        {...form.getInputProps("role")}
        value={role}
        onChange={(next) => {
          if (next) {
            form.setFieldValue("role", next as Role);
            setChosen((before) => ({ ...before, role: true }));
          }
        }}
      />
      {teams.length > 0 && (
        <MultiSelect
          label="Teams"
          placeholder={chosenTeams.length === 0 ? "None" : undefined}
          searchable
          data={teams.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps("teams")}
          value={chosenTeams}
          // Below, the open list would cover the button.
          comboboxProps={{ position: "top" }}
          onChange={(ids) => {
            form.setFieldValue("teams", ids);
            setChosen((before) => ({ ...before, teams: true }));
          }}
        />
      )}
    </Form>
  );
}

/** Invites several people; an address that fails does not keep the others from an invitation. */
async function inviteAll(
  invitees: CheckedInvitee[],
  inviteOne: (invitee: CheckedInvitee) => Promise<Schemas["AddedMember"]>,
  entries: Entries,
): Promise<Outcome> {
  const outcome: Outcome = { added: [], failed: [], entries };
  for (const { email, state } of invitees.filter((each) => !isInvitable(each))) {
    outcome.failed.push({
      email,
      reason: state === "member" ? "Already a member." : "Not an email address.",
    });
  }
  for (const invitee of invitees.filter(isInvitable)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      outcome.added.push(await inviteOne(invitee));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      outcome.failed.push({ email: invitee.email, reason });
    }
  }
  return outcome;
}

/** @param count the people to invite; null for the only one */
function actionFor(count: number | null, isUpdate: boolean, isMailed: boolean): string {
  if (count !== null) {
    return count === 1 ? "Invite 1 person" : `Invite ${count} people`;
  }
  return !isUpdate ? "Invite" : isMailed ? "Update and send again" : "Update and create new link";
}

interface NotesProps {
  invitees: CheckedInvitee[];
  role: Role;
  several: boolean;
  isMailed: boolean;
}

/** Notes on addresses that are wrong, already invited, or of members, before anything is sent. */
function InviteeNotes({ invitees, role, several, isMailed }: NotesProps) {
  const noted = invitees.filter(({ state }) => state !== "new");
  return (
    <Stack gap={4} role="status">
      {noted.map((invitee) => (
        <WrappedText key={invitee.email} c={isInvitable(invitee) ? undefined : "var(--mantine-color-error)"}>
          <Text span inherit fw={600}>
            {invitee.email}
          </Text>{" "}
          {noteOf(invitee, role, several, isMailed)}
        </WrappedText>
      ))}
    </Stack>
  );
}

function noteOf({ state, member }: CheckedInvitee, role: Role, several: boolean, isMailed: boolean): string {
  const renewed = isMailed ? "is sent again" : "gets a new link";
  switch (state) {
    case "invited": {
      const change = several && member?.role !== role ? `The role becomes ${role}, and the` : "The";
      return `is already invited as ${member?.role === "member" ? "a" : "an"} ${member?.role}. ${change} invitation ${renewed}; the previous link stops working.`;
    }
    case "unverified":
      return "is a member with an unverified address, and gets a link to verify it. Role and teams stay as they are.";
    case "member":
      return several ? "is already a member and won’t be invited." : "is already a member.";
    default:
      return "isn’t an email address and won’t be invited.";
  }
}
