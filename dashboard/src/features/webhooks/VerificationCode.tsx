import { Stack, Tabs } from "@mantine/core";
import { SectionHeading, Dimmed, InlineAnchor } from "../../components/variants";
import { CodeBlock } from "../../components/CodeBlock";

const EXAMPLES = [
  {
    language: "Node.js",
    code: `import { Webhook } from "standardwebhooks";

// Throws if the signature is invalid.
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, headers);`,
  },
  {
    language: "Python",
    code: `import os
from standardwebhooks import Webhook

# Raises if the signature is invalid.
event = Webhook(os.environ["WEBHOOK_SECRET"]).verify(raw_body, headers)`,
  },
];

/** How receivers verify that an event comes from this organization. */
export function VerificationCode() {
  return (
    <Stack gap="xs">
      <SectionHeading>Verify events</SectionHeading>
      <Dimmed>
        Every request is signed by the rules of{" "}
        <InlineAnchor href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </InlineAnchor>
        . Verify the raw body before you parse it, and respond with 2xx within 15 seconds.
      </Dimmed>
      <Tabs defaultValue={EXAMPLES[0]!.language}>
        <Tabs.List mb="xs">
          {EXAMPLES.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {EXAMPLES.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock code={code} label={`${language} code`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
