import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, ask } from "../../api/client";
import { Confirm } from "../../parts/Confirm";
import { Copy } from "../../parts/Copy";
import { Loaded } from "../../parts/Loaded";
import { Time } from "../../parts/Time";
import { queryClient } from "../../queryClient";

/** The secret by which receivers check that an event comes from here. */
export function SigningSecret({ orgId }: { orgId: string }) {
  const [rotating, setRotating] = useState(false);
  const key = ["organization", orgId, "webhook-secret"];
  const secret = useQuery({
    queryKey: key,
    queryFn: () =>
      ask(api.GET("/dashboard/api/organizations/{orgId}/webhook-secret", { params: { path: { orgId } } })),
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-secret/rotate", {
          params: { path: { orgId } },
        }),
      ),
    onSuccess: (fresh) => {
      queryClient.setQueryData(key, fresh);
      setRotating(false);
    },
  });
  return (
    <Loaded query={secret}>
      {(found) => (
        <Stack maw={640}>
          <Group align="flex-end" wrap="nowrap" gap="xs">
            <PasswordInput label="Signing secret" flex={1} readOnly value={found.secret} />
            <Copy text={found.secret} label="Copy" />
          </Group>
          <Text size="sm" c="dimmed">
            Made <Time at={found.created_at} />.{" "}
            {found.previous_expires_at && (
              <>
                The one before signs, too, until <Time at={found.previous_expires_at} />.
              </>
            )}
          </Text>
          <Group>
            <Button variant="default" onClick={() => setRotating(true)}>
              Make a new secret
            </Button>
          </Group>
          <Confirm
            opened={rotating}
            harmless
            title="Make a new secret?"
            action="Make a new one"
            sending={rotate}
            onConfirm={() => rotate.mutate()}
            onClose={() => setRotating(false)}
          >
            <Text size="sm">For 24 hours both sign, so that receivers can change over.</Text>
          </Confirm>
        </Stack>
      )}
    </Loaded>
  );
}
