import { Anchor, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, ask, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { ErrorNotice } from "../../parts/ErrorNotice";
import { Json } from "../../parts/Json";
import { Loaded } from "../../parts/Loaded";
import { Page } from "../../parts/Page";
import { Status } from "../../parts/Status";
import { duration, Time } from "../../parts/Time";
import { queryClient } from "../../queryClient";

/** One delivery: each attempt with what was sent and what came back, and sending it again. */
export default function DeliveryPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const { deliveryId = "" } = useParams();
  const key = ["organization", orgId, "webhook-deliveries", "one", deliveryId];
  const params = { path: { orgId, deliveryId } };
  const delivery = useQuery({
    queryKey: key,
    queryFn: () =>
      ask(api.GET("/dashboard/api/organizations/{orgId}/webhook-deliveries/{deliveryId}", { params })),
    refetchInterval: 3_000,
  });
  const replay = useMutation({
    mutationFn: () =>
      ask(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-deliveries/{deliveryId}/replay", { params }),
      ),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-deliveries"] }),
  });
  return (
    <Loaded query={delivery}>
      {(found) => (
        <Page
          title={found.type}
          back={{ to: `/organizations/${orgId}/webhooks/deliveries`, label: "Deliveries" }}
          badge={<Status of={found.state} />}
          about={
            <>
              To {found.url ?? "an address that is not known any more"} ·{" "}
              <Time at={found.created_at} seconds />
              {found.conversation_id && (
                <>
                  {" · "}
                  <Anchor
                    component={Link}
                    inherit
                    to={`/organizations/${orgId}/conversations/${found.conversation_id}`}
                  >
                    conversation
                  </Anchor>
                </>
              )}
            </>
          }
          actions={
            isAdmin && (
              <Button variant="default" loading={replay.isPending} onClick={() => replay.mutate()}>
                Send it again
              </Button>
            )
          }
        >
          <ErrorNotice error={replay.error} />
          <Title order={2} size="h5">
            Attempts
          </Title>
          {found.attempts.length === 0 && <Text c="dimmed">None yet.</Text>}
          <Stack>
            {found.attempts.map((attempt) => (
              <AttemptCard key={attempt.number} attempt={attempt} />
            ))}
          </Stack>
        </Page>
      )}
    </Loaded>
  );
}

function AttemptCard({ attempt }: { attempt: Schemas["WebhookAttempt"] }) {
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm">
          {attempt.number}: {attempt.status === null ? "no complete answer" : `answered ${attempt.status}`}
        </Text>
        <Text size="sm" c="dimmed">
          <Time at={attempt.at} seconds /> · {duration(attempt.duration_ms)}
        </Text>
      </Group>
      {attempt.error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {attempt.error}
        </Text>
      )}
      <Text size="xs" fw={600} c="dimmed" mt="xs">
        Request headers
      </Text>
      <Json value={attempt.request_headers} label={`headers of attempt ${attempt.number}`} />
      {attempt.response && (
        <>
          <Text size="xs" fw={600} c="dimmed" mt="xs">
            Answer
          </Text>
          <pre className="code" tabIndex={0} aria-label={`Answer to attempt ${attempt.number}`}>
            {attempt.response}
          </pre>
        </>
      )}
    </Card>
  );
}
