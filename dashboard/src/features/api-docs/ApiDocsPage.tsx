import {
  Anchor,
  AppShell,
  Burger,
  Group,
  NavLink,
  PasswordInput,
  ScrollArea,
  Select,
  SimpleGrid,
  Text,
  TextInput,
  Title,
  type TextInputProps,
} from "@mantine/core";
import { useDisclosure, useDocumentTitle, useScrollSpy } from "@mantine/hooks";
import { use, useEffect, useMemo, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { Dimmed, DimmedXs } from "../../components/variants";
import { lastOrganization } from "../../components/lastOrganization";
import { useStored } from "../../components/useStored";
import classes from "./apiDocs.module.css";
import { SampleContext } from "./CodeSample";
import { anchorOf, OPERATION_GROUPS } from "./developerApi";
import { EVENTS, EventChapters, START, StartChapters } from "./Guide";
import { OperationSection } from "./OperationSection";
import type { Language } from "./samples";
import { useOwnAgents } from "./useOwnAgents";

/** The reference of the developer API, for everybody who can reach the service. */
export default function ApiDocsPage() {
  useDocumentTitle("API reference · Parley");
  const [menuOpen, menu] = useDisclosure(false);
  const [language, setLanguage] = useStored<Language>("docs-language", "curl");
  const [key, setKey] = useState("");
  const [workflowId, setWorkflowId] = useState("");
  const [conversationId, setConversationId] = useState("");
  const samples = useMemo(
    () => ({
      origin: location.origin,
      key,
      setKey,
      workflowId,
      conversationId,
      setConversationId,
      language,
      setLanguage,
    }),
    [key, workflowId, conversationId, language, setLanguage],
  );
  const organization = lastOrganization();
  const agents = useOwnAgents(organization);
  const dashboardPage = (path: string) => (organization ? `/organizations/${organization}/${path}` : "/");
  useEffect(() => {
    // The browser looked for the address's section before this script was loaded.
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 264, breakpoint: "sm", collapsed: { mobile: !menuOpen } }}
      padding={{ base: "md", sm: "xl" }}
    >
      <a className="skip" href="#main">
        Skip to content
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={menuOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Contents" />
            <Anchor href="/" underline="never" c="inherit">
              <Group gap={8} wrap="nowrap">
                <img src="/icon.svg" width={24} height={24} alt="" />
                <Text fw={700}>Parley</Text>
              </Group>
            </Anchor>
            <Text c="dimmed" visibleFrom="xs">
              API reference
            </Text>
          </Group>
          <Group gap="lg" wrap="nowrap">
            <Anchor href="/openapi.json" size="sm" visibleFrom="xs">
              OpenAPI document
            </Anchor>
            <Anchor href={dashboardPage("api-access")} size="sm">
              Dashboard
            </Anchor>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar aria-label="Contents">
        <Contents onChoose={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="main">
        <SampleContext value={samples}>
          <Title order={1} size="h2">
            Parley API
          </Title>
          <Text c="dimmed" mt={4} mb="lg" maw={680}>
            Send messages to agents, run them from your own code, and get events back. Requests and responses
            are JSON, at{" "}
            <Text span inherit ff="monospace" c="var(--mantine-color-text)">
              {location.origin}/developer/api
            </Text>
          </Text>
          <SampleFields agents={agents} setWorkflowId={setWorkflowId} />
          <StartChapters keysPage={dashboardPage("api-access")} />
          {OPERATION_GROUPS.map(({ title, about, anchor, operations }) => (
            <div key={title}>
              <section className={classes.section} id={anchor}>
                <Title order={2} size="h3">
                  {title}
                </Title>
                <Text c="dimmed" mt={4} maw={680}>
                  {about}
                </Text>
              </section>
              {operations.map((each) => (
                <OperationSection key={anchorOf(each)} operation={each} />
              ))}
            </div>
          ))}
          <EventChapters webhooksPage={dashboardPage("webhooks")} />
        </SampleContext>
      </AppShell.Main>
    </AppShell>
  );
}

interface FieldsProps {
  agents: ReturnType<typeof useOwnAgents>;
  setWorkflowId: (id: string) => void;
}

/** The values for all examples. */
function SampleFields({ agents, setWorkflowId }: FieldsProps) {
  const { key, setKey, workflowId, conversationId, setConversationId } = use(SampleContext);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} maw={960} mb="md" style={{ alignItems: "end" }}>
      <PasswordInput
        label="Your API key"
        description="Kept until you leave the page."
        placeholder="sk-…"
        autoComplete="off"
        spellCheck={false}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value.trim())}
      />
      {agents.length > 0 ? (
        <Select
          label="Your agent"
          description="One of your published agents."
          placeholder="Choose an agent"
          searchable
          clearable
          data={agents.map(({ id, name }) => ({ value: id, label: name }))}
          value={workflowId || null}
          onChange={(id) => setWorkflowId(id ?? "")}
        />
      ) : (
        <IdInput
          label="Your agent’s ID"
          description="From the address of the agent’s page."
          placeholder="0192f0c1a2b37c4d8e5f60718293a4b5"
          value={workflowId}
          onType={setWorkflowId}
        />
      )}
      <IdInput
        label="Your conversation’s ID"
        description="Filled in when you create one below."
        placeholder="0192f0c1b2c37d4e8f60718293a4b5c6"
        value={conversationId}
        onType={setConversationId}
      />
    </SimpleGrid>
  );
}

/** An input for an ID. */
function IdInput({ onType, ...input }: TextInputProps & { onType: (id: string) => void }) {
  return (
    <TextInput
      autoComplete="off"
      spellCheck={false}
      {...input}
      onChange={(event) => onType(event.currentTarget.value.trim())}
    />
  );
}

/** Without the order of a list, which is said at the operation. */
const menuTitle = (summary: string) => summary.replace(/, (newest|oldest) first$/, "");

const CHAPTERS = [
  { title: "Get started", entries: [...START] },
  ...OPERATION_GROUPS.map(({ title, operations }) => ({
    title,
    entries: operations.map((each) => ({
      anchor: anchorOf(each),
      title: menuTitle(each.summary),
      words: `${each.method} ${each.path} ${each.description ?? ""} agent run`,
    })),
  })),
  { title: "Events", entries: [...EVENTS] },
];

const SECTIONS = CHAPTERS.flatMap(({ entries }) => entries.map(({ anchor }) => `[id="${anchor}"]`)).join(
  ", ",
);

/** Links to the sections, with the one that is read marked, and a field to find them by their words. */
function Contents({ onChoose }: { onChoose: () => void }) {
  const navigate = useNavigate();
  const [search, setSearch] = useState("");
  const { active, data } = useScrollSpy({ selector: SECTIONS, offset: 96 });
  const current = data[active]?.id;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const chapters = CHAPTERS.map(({ title, entries }) => ({
    title,
    entries: entries.filter((entry) => {
      const text = `${title} ${entry.title} ${entry.words}`.toLowerCase();
      return search
        .toLowerCase()
        .split(/\s+/)
        .every((word) => text.includes(word));
    }),
  })).filter(({ entries }) => entries.length > 0);
  return (
    <>
      <TextInput
        p="xs"
        aria-label="Find a section"
        placeholder="Find a section"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = chapters[0]?.entries[0];
          if (event.key === "Enter" && first) {
            void navigate({ hash: first.anchor });
            onChoose();
          }
        }}
      />
      <ScrollArea type="scroll" px="xs" pb="xs" viewportRef={list} onClick={onChoose}>
        {chapters.length === 0 && <Dimmed px="sm">No section is about this.</Dimmed>}
        {chapters.map(({ title, entries }) => (
          <div key={title}>
            <DimmedXs fw={600} px="sm" pt="md" pb={4}>
              {title}
            </DimmedXs>
            {entries.map((entry) => (
              <NavLink
                key={entry.anchor}
                component={Link}
                // By the router, which would otherwise restore the scroll position of the page's start.
                to={{ hash: entry.anchor }}
                label={entry.title}
                py={4}
                active={entry.anchor === current}
                aria-current={entry.anchor === current ? "location" : undefined}
              />
            ))}
          </div>
        ))}
      </ScrollArea>
    </>
  );
}
