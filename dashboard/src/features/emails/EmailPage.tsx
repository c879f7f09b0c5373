import { Alert, Anchor, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { isolatedHtml } from "../../components/filePreviews";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { AboutTicket } from "./AboutTicket";
import { isWaiting } from "./mailStates";
import { Recipients } from "./Recipients";
import classes from "../../components/filePreview.module.css";

export default function EmailPage() {
  const orgId = useOrganizationId();
  const { emailId = "" } = useParams();
  const mail = useQuery({
    queryKey: ["organization", orgId, "emails", "one", emailId],
    queryFn: () =>
      unwrap(
        api.GET("/dashboard/api/organizations/{orgId}/emails/{emailId}", {
          params: { path: { orgId, emailId } },
        }),
      ),
    refetchInterval: (query) =>
      query.state.data?.recipients.some(({ state }) => isWaiting(state)) ? 5_000 : false,
  });
  return (
    <QueryBoundary query={mail}>
      {(found) => <Email key={found.id} orgId={orgId} mail={found} />}
    </QueryBoundary>
  );
}

function Email({ orgId, mail }: { orgId: string; mail: Schemas["EmailContent"] }) {
  const base = `/organizations/${orgId}`;
  const states = new Set(mail.recipients.map(({ state }) => state));
  return (
    <Page
      title={mail.subject}
      back={{ to: `${base}/emails`, label: "Emails" }}
      badge={[...states].map((state) => (
        <StatusLabel key={state} status={state} />
      ))}
      about={
        <>
          Created <Time at={mail.created_at} seconds />. Times are in your time zone, {timeZone()}.
        </>
      }
    >
      {states.has("UNCERTAIN") && (
        <Alert color="yellow" title="It may have been sent">
          The connection was lost before the mail server confirmed it. If the recipient has no email, resend
          it.
        </Alert>
      )}
      {states.has("KEPT") && (
        <Alert color="yellow" title="Not sent">
          No email server is set up. The email is sent if one is set up within three days.
        </Alert>
      )}
      {mail.ticket_id && <AboutTicket orgId={orgId} ticketId={mail.ticket_id} />}
      <Recipients orgId={orgId} mail={mail} />
      {mail.text === null ? (
        <Text c="dimmed">
          Invitation emails are hidden because they contain a private link. To send a new link, resend the
          invitation on the page{" "}
          <Anchor component={Link} to={`${base}/members`} inherit>
            Members
          </Anchor>
          .
        </Text>
      ) : (
        <Body text={mail.text} html={mail.html} />
      )}
    </Page>
  );
}

const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");

/** HTML is shown without scripts, remote content and links, in an origin of its own. */
function Body({ text, html }: { text: string; html: string | null | undefined }) {
  const [view, setView] = useState(html ? "html" : "text");
  return (
    <Stack gap="xs" align="stretch">
      {html && (
        <SegmentedControl
          aria-label="Format"
          w="fit-content"
          data={[
            { value: "html", label: "Preview" },
            { value: "text", label: "Plain text" },
          ]}
          value={view}
          onChange={setView}
        />
      )}
      {view === "html" && html ? (
        <iframe className={classes.page} sandbox="" srcDoc={isolatedHtml(html)} title="Email preview" />
      ) : (
        <pre className="code" tabIndex={0} aria-label="Email text">
          {text}
        </pre>
      )}
    </Stack>
  );
}
