import {
  Alert,
  Button,
  Group,
  List,
  Modal,
  MultiSelect,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import type { Role } from "../../api/organization";
import { ApiError } from "../../api/problem";
import { useMembers, useTeams } from "../../api/queries";
import { Form } from "../../components/Form";
import { queryClient } from "../../queryClient";
import { addressError, inviteesOf, type Invitee } from "./invitees";
import { SecretLink } from "./SecretLink";
import { ROLE_HINTS, ROLES } from "./roles";

interface Props {
  orgId: string;
  opened: boolean;
  onClose: () => void;
  /** Offers a reset link for a person who is a member already. */
  onReset: (member: Schemas["Member"]) => void;
}

/** The outcome of inviting several people: who was invited, and the error of each other person. */
interface Outcome {
  added: Schemas["AddedMember"][];
  failed: { invitee: Invitee; reason: string }[];
}

export function InviteDialog({ orgId, opened, onClose, onReset }: Props) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  if (!opened && outcome) {
    // Forget the links however the dialog was closed, even by Back.
    setOutcome(null);
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={outcome ? (outcome.added.length > 1 ? "Members invited" : "Member invited") : "Invite members"}
      closeOnClickOutside={!outcome}
    >
      {outcome ? (
        <Invited outcome={outcome} onDone={onClose} onMore={() => setOutcome(null)} />
      ) : (
        <Fields orgId={orgId} onInvited={setOutcome} onReset={onReset} />
      )}
    </Modal>
  );
}

/** Shows the new link after an invitation was sent again. */
export function ReinvitedDialog({
  added,
  onClose,
}: {
  added: Schemas["AddedMember"] | null;
  onClose: () => void;
}) {
  return (
    <Modal opened={added !== null} onClose={onClose} title="Invitation resent" closeOnClickOutside={false}>
      {added && <Invited outcome={{ added: [added], failed: [] }} onDone={onClose} />}
    </Modal>
  );
}

interface FieldsProps {
  orgId: string;
  onInvited: (outcome: Outcome) => void;
  onReset: (member: Schemas["Member"]) => void;
}

function Fields({ orgId, onInvited, onReset }: FieldsProps) {
  const form = useForm({
    initialValues: { email: "", name: "", role: "member" as Role, teams: [] as string[] },
    validate: { email: addressError },
  });
  const [choosingTeams, setChoosingTeams] = useState(false);
  const { data: members } = useMembers(orgId);
  const { data: teams = [] } = useTeams(orgId);
  const invitees = inviteesOf(form.values.email, form.values.name);
  const several = invitees.length > 1;
  const invite = useMutation({
    mutationFn: async (values: typeof form.values): Promise<Outcome> => {
      const inviteOne = ({ email, name }: Invitee) =>
        unwrap(
          api.POST("/dashboard/api/organizations/{orgId}/members", {
            params: { path: { orgId } },
            body: { email, name, role: values.role, team_ids: values.teams.map(Number) },
          }),
        );
      if (!several) {
        return {
          added: [await inviteOne(invitees[0] ?? { email: "", name: values.name })],
          failed: [],
        };
      }
      const outcome: Outcome = { added: [], failed: [] };
      for (const invitee of invitees) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- in their order
          outcome.added.push(await inviteOne(invitee));
        } catch (error) {
          outcome.failed.push({ invitee, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      return outcome;
    },
    onSuccess: async (outcome) => {
      onInvited(outcome);
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "members"] });
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "teams"] });
    },
  });
  const isMember = invite.error instanceof ApiError && invite.error.status === 409;
  const existing = isMember && members?.find((each) => each.email === invitees[0]?.email.toLowerCase());
  return (
    <Form form={form} mutation={invite} action={several ? `Invite ${invitees.length} people` : "Invite"}>
      {existing && (
        <Button variant="default" onClick={() => onReset(existing)}>
          Create reset link for {existing.name}
        </Button>
      )}
      <Textarea
        label="Email"
        description="One address per line to invite several people"
        required
        data-autofocus
        autosize
        minRows={1}
        maxRows={8}
        {...form.getInputProps("email")}
      />
      {!several && (
        <TextInput
          label="Name"
          description="Leave blank to use the email name"
          {...form.getInputProps("name")}
        />
      )}
      {teams.length > 0 && (
        <MultiSelect
          label="Teams"
          placeholder={form.values.teams.length === 0 ? "None" : undefined}
          searchable
          data={teams.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps("teams")}
          // The open list covers the role and the button.
          dropdownOpened={choosingTeams}
          onDropdownOpen={() => setChoosingTeams(true)}
          onDropdownClose={() => setChoosingTeams(false)}
          onChange={(chosen) => {
            form.setFieldValue("teams", chosen);
            setChoosingTeams(false);
          }}
        />
      )}
      <Select
        label="Role"
        data={ROLES}
        allowDeselect={false}
        inputWrapperOrder={["label", "input", "description", "error"]}
        description={ROLE_HINTS[form.values.role]}
        {...form.getInputProps("role")}
      />
    </Form>
  );
}

function Invited({ outcome, onDone, onMore }: { outcome: Outcome; onDone: () => void; onMore?: () => void }) {
  const { added, failed } = outcome;
  const names = added.map((each) => each.name).join(", ");
  const byLink = added.some((each) => each.invitation_token);
  return (
    <Stack>
      {failed.length > 0 && (
        <Alert color="red" role="alert" title="Not invited">
          <List size="sm">
            {failed.map(({ invitee, reason }) => (
              <List.Item key={invitee.email}>
                {invitee.email}: {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {byLink ? (
        <>
          <Alert color="yellow" title={added.length > 1 ? "Send each person their link" : "Send this link"}>
            <Text size="sm">
              {added.length > 1 ? "Each link lets its recipient" : `The link lets ${names}`} join with a new
              password or an existing account. {added.length > 1 ? "A link" : "It"} works once, expires after
              7 days, and won’t be shown again. No email server is set up, so the first person to open a link
              can join: send it only to the invited person.
            </Text>
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
        added.length > 0 && (
          <Text size="sm">
            {added.map((each) => each.email).join(", ")} will receive an email with a link to join with a new
            password or an existing account. The link works once and expires after 7 days.
          </Text>
        )
      )}
      <Group justify="flex-end">
        {onMore && (
          <Button variant="default" onClick={onMore}>
            Invite another
          </Button>
        )}
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
