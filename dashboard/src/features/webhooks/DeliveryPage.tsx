import { Anchor, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useIsAdmin, useOrganizationId } from "../../api/organization";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonBlock } from "../../components/JsonBlock";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { formatDuration, Time } from "../../components/Time";
import { queryClient } from "../../queryClient";

/** A delivery with its attempts; admins can resend it. */
export default function DeliveryPage() {
  const orgId = useOrganizationId();
  const isAdmin = useIsAdmin();
  const { deliveryId = "" } = useParams();
  const key = ["organization", orgId, "webhook-deliveries", "one", deliveryId];
  const params = { path: { orgId, deliveryId } };
  const delivery = useQuery({
    queryKey: key,
    queryFn: () =>
      unwrap(api.GET("/dashboard/api/organizations/{orgId}/webhook-deliveries/{deliveryId}", { params })),
    refetchInterval: 3_000,
  });
  const replay = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/webhook-deliveries/{deliveryId}/replay", { params }),
      ),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: ["organization", orgId, "webhook-deliveries"] }),
  });
  return (
    <QueryBoundary query={delivery}>
      {(found) => (
        <Page
          title={found.type}
          back={{ to: `/organizations/${orgId}/webhooks/deliveries`, label: "Deliveries" }}
          badge={<StatusLabel status={found.state} />}
          about={
            <>
              To {found.url ?? "an unknown URL"} · <Time at={found.created_at} seconds />
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
                Resend
              </Button>
            )
          }
        >
          <ErrorNotice error={replay.error} />
          <Title order={2} size="h5">
            Attempts
          </Title>
          {found.attempts.length === 0 && <Text c="dimmed">No attempts yet.</Text>}
          <Stack>
            {found.attempts.map((attempt) => (
              <AttemptCard key={attempt.number} attempt={attempt} />
            ))}
          </Stack>
        </Page>
      )}
    </QueryBoundary>
  );
}

function AttemptCard({ attempt }: { attempt: Schemas["WebhookAttempt"] }) {
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Text fw={600} size="sm">
          Attempt {attempt.number}: {attempt.status === null ? "no response" : `HTTP ${attempt.status}`}
        </Text>
        <Text size="sm" c="dimmed">
          <Time at={attempt.at} seconds /> · {formatDuration(attempt.duration_ms)}
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
      <JsonBlock value={attempt.request_headers} label={`request headers of attempt ${attempt.number}`} />
      {attempt.response && (
        <>
          <Text size="xs" fw={600} c="dimmed" mt="xs">
            Response
          </Text>
          <pre className="code" tabIndex={0} aria-label={`Response to attempt ${attempt.number}`}>
            {attempt.response}
          </pre>
        </>
      )}
    </Card>
  );
}
