import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { useCreateResetLink, type Schemas } from "../../api";
import { SecondaryButton } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { SecretLink } from "./SecretLink";

interface Props {
  member: Schemas["Member"] | null;
  /** Whether the signed-in user is an operator, whose links leave the email address verified. */
  byOperator: boolean;
  onClose: () => void;
}

/** Creates a link with which a member who can’t sign in sets a new password. */
export function ResetLinkDialog({ member, byOperator, onClose }: Props) {
  const create = useCreateResetLink();
  const { reset } = create;
  useEffect(() => {
    if (!member) {
      // Forget the link however the dialog was closed.
      reset();
    }
  }, [member, reset]);
  const link = create.data && `${location.origin}/reset-password#${create.data.reset_token}`;
  return (
    <Modal
      opened={member !== null}
      onClose={onClose}
      title={`Reset the password of ${member?.name}`}
      closeOnClickOutside={!link}
    >
      {member && (
        <Stack>
          <ErrorNotice error={create.error} />
          {link ? (
            <>
              <Alert color="yellow" title="Send this link">
                It works once, expires after one hour, and won’t be shown again. Send it only to {member.name}
                : anyone who opens it can set the password and sign in.
              </Alert>
              <SecretLink label="Reset link" link={link} />
            </>
          ) : (
            <Text size="sm">
              {member.name} can use the link to set a new password, and is signed out everywhere else.
              {member.email_proven &&
                !byOperator &&
                " Because you will have seen the link, their email address then counts as not verified, and the account works in this organization only."}
            </Text>
          )}
          <Group justify="flex-end">
            {link ? (
              <Button onClick={onClose}>Done</Button>
            ) : (
              <>
                <SecondaryButton onClick={onClose}>Cancel</SecondaryButton>
                <Button loading={create.isPending} onClick={() => create.mutate(member.id)} data-autofocus>
                  Create link
                </Button>
              </>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
