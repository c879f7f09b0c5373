import { Alert, SegmentedControl, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useParams } from "react-router";
import { TextLink } from "../../components/PageLink";
import { useEmail, useOrganizationId, type Schemas } from "../../api";
import { CodeText } from "../../components/CodeBlock";
import { Dimmed } from "../../components/variants";
import { isolatedHtml } from "../../components/filePreviews";
import { Page } from "../../components/Page";
import { QueryBoundary } from "../../components/QueryBoundary";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { AboutTicket } from "./AboutTicket";
import { isWaiting } from "./mailStates";
import { Recipients } from "./Recipients";
import classes from "../../components/filePreview.module.css";
import { optionsOf } from "../../components/optionsOf";

/** The margin of a page without styles. */
const BODY_MARGIN = 8;
const BORDER = 1;
/** Longer emails scroll. */
const MAX_HEIGHT = 4_000;

export default function EmailPage() {
  const { emailId = "" } = useParams();
  const mail = useEmail(emailId, isWaiting);
  return <QueryBoundary query={mail}>{(found) => <Email key={found.id} mail={found} />}</QueryBoundary>;
}

function Email({ mail }: { mail: Schemas["EmailContent"] }) {
  const orgId = useOrganizationId();
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
      {mail.ticket_id && <AboutTicket ticketId={mail.ticket_id} />}
      <Recipients mail={mail} />
      {mail.text === null ? (
        <Text c="dimmed">
          Invitation emails are hidden because they contain a private link. To send a new link, resend the
          invitation on the page <TextLink to="members">Members</TextLink>.
        </Text>
      ) : (
        <>
          <Dimmed>
            {mail.from ? (
              <>
                From{" "}
                <Text span inherit c="var(--mantine-color-text)">
                  {mail.from}
                </Text>
                . Replies go to this address; Parley does not read them.
              </>
            ) : (
              "The sender’s address is set up with the email server. Replies go to this address; Parley does not read them."
            )}
          </Dimmed>
          <Body text={mail.text} html={mail.html} />
        </>
      )}
    </Page>
  );
}

const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");

/** HTML is shown without scripts and remote content. */
function Body({ text, html }: { text: string; html: string | null | undefined }) {
  const [view, setView] = useState(html ? "html" : "text");
  return (
    <Stack gap="xs" align="stretch">
      {html && (
        <SegmentedControl
          aria-label="Format"
          w="fit-content"
          data={optionsOf({ html: "Preview", text: "Plain text" })}
          value={view}
          onChange={setView}
        />
      )}
      {view === "html" && html ? <HtmlBody html={html} /> : <CodeText label="Email text">{text}</CodeText>}
    </Stack>
  );
}

/** A frame as high as its content. It has the page's origin, so that its height can be read, but may not run scripts. */
function HtmlBody({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState<number>();
  const measure = () => {
    const body = frame.current?.contentDocument?.body;
    // The body's margins do not count.
    const content = body && Math.ceil(body.getBoundingClientRect().height) + 2 * BODY_MARGIN;
    if (content) {
      setHeight(Math.min(MAX_HEIGHT, content + 2 * BORDER));
    }
  };
  const onResize = useEffectEvent(measure);
  useEffect(() => {
    const observer = new ResizeObserver(() => onResize());
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <iframe
      ref={frame}
      className={classes.page}
      style={{ height }}
      sandbox="allow-same-origin"
      srcDoc={isolatedHtml(html)}
      title="Email preview"
      onLoad={measure}
    />
  );
}
