import { Group, PasswordInput, Stack } from "@mantine/core";
import { useState } from "react";
import { useRotateSecret, useSigningSecret } from "../../api";
import { Dimmed, SecondaryButton } from "../../components/variants";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyButton } from "../../components/CopyButton";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { VerificationCode } from "./VerificationCode";

/** The secret that receivers use to verify events. */
export function SigningSecret() {
  const [rotating, setRotating] = useState(false);
  const secret = useSigningSecret();
  const rotate = useRotateSecret({
    done: "Secret rotated. The previous one stays valid for 24 hours.",
    onSuccess: () => setRotating(false),
  });
  return (
    <QueryBoundary query={secret}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <Group align="flex-end" wrap="nowrap" gap="xs">
            <PasswordInput label="Signing secret" flex={1} readOnly value={found.secret} />
            <CopyButton text={found.secret} label="Copy secret" />
          </Group>
          <Dimmed>
            Created <Time at={found.created_at} />.{" "}
            {found.previous_expires_at && (
              <>
                The previous secret stays valid until <Time at={found.previous_expires_at} />.
              </>
            )}
          </Dimmed>
          <Group>
            <SecondaryButton onClick={() => setRotating(true)}>Rotate secret</SecondaryButton>
          </Group>
          <VerificationCode />
          <ConfirmDialog
            opened={rotating}
            harmless
            title="Rotate secret?"
            action="Rotate secret"
            mutation={rotate}
            onConfirm={() => rotate.mutate()}
            onClose={() => setRotating(false)}
          >
            Both secrets sign events for 24 hours so you can switch over.
          </ConfirmDialog>
        </Stack>
      )}
    </QueryBoundary>
  );
}
