import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { CopyButton } from "../../components/CopyButton";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { VerificationCode } from "./VerificationCode";

/** The secret that receivers use to verify events. */
export function SigningSecret({ orgId }: { orgId: string }) {
  const [rotating, setRotating] = useState(false);
  const key = ["organization", orgId, "webhook-secret"];
  const secret = useQuery({
    queryKey: key,
    queryFn: () =>
      unwrap(api.GET("/dashboard/api/organizations/{orgId}/webhook-secret", { params: { path: { orgId } } })),
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-secret/rotate", {
          params: { path: { orgId } },
        }),
      ),
    onSuccess: (fresh) => {
      queryClient.setQueryData(key, fresh);
      notifications.show({ message: "Secret rotated. The previous one stays valid for 24 hours." });
      setRotating(false);
    },
  });
  return (
    <QueryBoundary query={secret}>
      {(found) => (
        <Stack maw={640} gap="lg">
          <Group align="flex-end" wrap="nowrap" gap="xs">
            <PasswordInput label="Signing secret" flex={1} readOnly value={found.secret} />
            <CopyButton text={found.secret} label="Copy secret" />
          </Group>
          <Text size="sm" c="dimmed">
            Created <Time at={found.created_at} />.{" "}
            {found.previous_expires_at && (
              <>
                The previous secret stays valid until <Time at={found.previous_expires_at} />.
              </>
            )}
          </Text>
          <Group>
            <Button variant="default" onClick={() => setRotating(true)}>
              Rotate secret
            </Button>
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
            <Text size="sm">Both secrets sign events for 24 hours so you can switch over.</Text>
          </ConfirmDialog>
        </Stack>
      )}
    </QueryBoundary>
  );
}
