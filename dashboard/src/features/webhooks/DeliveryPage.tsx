import { Alert, Anchor, Card, Code, Grid, Group, Stack, Text } from "@mantine/core";
import { Link, useParams } from "react-router";
import { TextLink } from "../../components/PageLink";
import { useDelivery, useIsAdmin, useResend, type Schemas } from "../../api";
import { CodeText } from "../../components/CodeBlock";
import {
  SecondaryButton,
  SectionHeading,
  Dimmed,
  Strong,
  DimmedXs,
  ErrorText,
} from "../../components/variants";
import { CopyButton } from "../../components/CopyButton";
import { ErrorNotice } from "../../components/ErrorNotice";
import { JsonBlock } from "../../components/JsonBlock";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { formatDuration, Time } from "../../components/Time";
import { resendLabel } from "./deliveryStates";

type Delivery = Schemas["WebhookDeliveryDetails"];

/** A delivery with its payload and its attempts; admins can resend it. */
export default function DeliveryPage() {
  const isAdmin = useIsAdmin();
  const { deliveryId = "" } = useParams();
  const delivery = useDelivery(deliveryId);
  const resend = useResend();
  return (
    <QueryBoundary query={delivery}>
      {(found) => (
        <Page
          title={found.type}
          back={
            found.endpoint_id && found.url
              ? {
                  to: `webhooks/endpoints/${found.endpoint_id}`,
                  label: hostOf(found.url),
                }
              : { to: "webhooks/deliveries", label: "Deliveries" }
          }
          badge={<StatusLabel status={found.state} />}
          about={<Summary of={found} />}
          actions={
            isAdmin && (
              <SecondaryButton
                disabled={!found.blocked_by && resendLabel(found.state) === null}
                loading={resend.isPending}
                onClick={() =>
                  resend.mutate(
                    found.blocked_by ? { id: found.blocked_by, state: "RETRYING", isEarlier: true } : found,
                  )
                }
              >
                {found.blocked_by ? "Retry earlier event" : (resendLabel(found.state) ?? "Resend")}
              </SecondaryButton>
            )
          }
        >
          <ErrorNotice error={resend.error} />
          {found.blocked_by ? (
            <Alert color="yellow" role="status">
              Events of one conversation or run are sent in order. This one is sent after an{" "}
              <Anchor component={Link} inherit to={`../${found.blocked_by}`} relative="path">
                earlier event
              </Anchor>{" "}
              that the receiver hasn’t accepted yet.
              {found.next_attempt_at && (
                <>
                  {" "}
                  Next attempt of the earlier event <Time at={found.next_attempt_at} relative />.
                </>
              )}
            </Alert>
          ) : (
            found.next_attempt_at && (
              <Alert color="yellow" role="status">
                The receiver didn’t accept attempt {found.attempt_count}. Next attempt{" "}
                <Time at={found.next_attempt_at} relative />.
              </Alert>
            )
          )}
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Attempts of={found} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Stack gap="sm">
                <SectionHeading>Payload</SectionHeading>
                {found.payload ? (
                  <JsonBlock value={found.payload} label="payload" />
                ) : (
                  <Dimmed>
                    {isAdmin
                      ? "The payload has been deleted."
                      : "Only owners and admins can see the payload."}
                  </Dimmed>
                )}
              </Stack>
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </QueryBoundary>
  );
}

function Summary({ of: delivery }: { of: Delivery }) {
  return (
    <Stack gap={2}>
      <Text inherit style={{ overflowWrap: "anywhere" }}>
        To {delivery.url ?? "a URL that no longer exists"}
      </Text>
      <Text inherit>
        <Time at={delivery.created_at} seconds />
        {delivery.conversation_id && (
          <>
            {" · "}
            <TextLink to={`conversations/${delivery.conversation_id}`}>conversation</TextLink>
          </>
        )}
      </Text>
      <Group gap={4}>
        <Code>{delivery.webhook_id}</Code>
        <CopyButton small text={delivery.webhook_id} label="Copy webhook ID" />
      </Group>
    </Stack>
  );
}

function Attempts({ of: delivery }: { of: Delivery }) {
  return (
    <Stack gap="sm">
      <SectionHeading>Attempts</SectionHeading>
      {delivery.attempts.length === 0 && (
        <Dimmed role="status">
          {delivery.blocked_by
            ? "Not sent yet."
            : delivery.state === "PENDING"
              ? "Waiting to be sent…"
              : "It was never sent."}
        </Dimmed>
      )}
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptCard key={attempt.number} attempt={attempt} />
      ))}
    </Stack>
  );
}

/** The kept part of a response, as the reference says. */
const KEPT_BYTES = 1024;

function AttemptCard({ attempt }: { attempt: Schemas["WebhookAttempt"] }) {
  const { number, status, response, error } = attempt;
  const isAccepted = status !== null && status >= 200 && status < 300;
  return (
    <Card withBorder>
      <Group justify="space-between" mb="xs">
        <Strong component="h3" m={0}>
          <span className="status" data-tone={isAccepted ? "good" : "bad"}>
            {status === null ? "No response" : `HTTP ${status}`}
          </span>{" "}
          Attempt {number}
        </Strong>
        <Dimmed>
          <Time at={attempt.at} seconds /> · {formatDuration(attempt.duration_ms)}
        </Dimmed>
      </Group>
      {error && <ErrorText>{error}</ErrorText>}
      {status !== null && (
        <>
          <DimmedXs fw={600} mb={4}>
            Response body
          </DimmedXs>
          {response ? (
            <CodeText label={`Response to attempt ${number}`}>{response}</CodeText>
          ) : (
            <Dimmed>Empty</Dimmed>
          )}
          {response && new TextEncoder().encode(response).length >= KEPT_BYTES && (
            <DimmedXs mt={4}>Only the first KiB is kept.</DimmedXs>
          )}
        </>
      )}
      <details style={{ marginTop: 10 }}>
        <DimmedXs fw={600} component="summary" style={{ cursor: "pointer" }}>
          Request headers
        </DimmedXs>
        <JsonBlock value={attempt.request_headers} label={`request headers of attempt ${number}`} />
      </details>
    </Card>
  );
}

/** The host of the endpoint, which names it briefly. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "Endpoint");
