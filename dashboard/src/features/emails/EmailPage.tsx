import { Alert, Anchor, Button, SegmentedControl, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { api, unwrap, type Schemas } from "../../api/client";
import { useOrganizationId } from "../../api/organization";
import { useMe } from "../../api/queries";
import { ErrorNotice } from "../../components/ErrorNotice";
import { isolatedHtml } from "../../components/filePreviews";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
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
      query.state.data && ["PENDING", "SENDING"].includes(query.state.data.state) ? 5_000 : false,
  });
  return (
    <QueryBoundary query={mail}>
      {(found) => <Email key={found.id} orgId={orgId} mail={found} />}
    </QueryBoundary>
  );
}

function Email({ orgId, mail }: { orgId: string; mail: Schemas["EmailContent"] }) {
  const { data: me } = useMe();
  const navigate = useNavigate();
  const base = `/organizations/${orgId}`;
  const resend = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/dashboard/api/organizations/{orgId}/emails/{emailId}/resend", {
          params: { path: { orgId, emailId: mail.id } },
        }),
      ),
    onSuccess: async (copy) => {
      notifications.show({ message: `Sent again to ${copy.to}. This is the new email.` });
      await navigate(`${base}/emails/${copy.id}`);
      await queryClient.invalidateQueries({ queryKey: ["organization", orgId, "emails"] });
    },
  });
  const isWaiting = mail.state === "PENDING" || mail.state === "SENDING";
  const mayResend = me?.emails_sent && !isWaiting && mail.text !== null;
  return (
    <Page
      title={mail.subject}
      back={{ to: `${base}/emails`, label: "Emails" }}
      badge={<StatusLabel status={mail.state} />}
      about={<Facts mail={mail} />}
      actions={
        mayResend && (
          <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
            Resend
          </Button>
        )
      }
    >
      <ErrorNotice error={resend.error} />
      {mail.error && (
        <Alert color="red" title="The last attempt failed">
          {mail.error}
        </Alert>
      )}
      {mail.state === "UNCERTAIN" && (
        <Alert color="yellow" title="It may have been sent">
          The connection was lost before the mail server confirmed it. If the recipient has no email, resend
          it.
        </Alert>
      )}
      {mail.state === "KEPT" && (
        <Alert color="yellow" title="Not sent">
          No email server is set up. The email is sent if one is set up within three days.
        </Alert>
      )}
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

function Facts({ mail }: { mail: Schemas["EmailContent"] }) {
  return (
    <>
      To {mail.to} · created <Time at={mail.created_at} seconds /> ·{" "}
      {mail.sent_at ? (
        <>
          sent <Time at={mail.sent_at} seconds />
        </>
      ) : (
        "not sent yet"
      )}
      {mail.attempts > 0 && ` · ${mail.attempts} ${mail.attempts === 1 ? "attempt" : "attempts"}`}
      {mail.next_attempt_at && mail.attempts > 0 && (
        <>
          {" "}
          · next attempt <Time at={mail.next_attempt_at} relative />
        </>
      )}
    </>
  );
}

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
