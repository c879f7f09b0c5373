import {
  Anchor,
  AppShell,
  Burger,
  Group,
  NavLink,
  ScrollArea,
  SimpleGrid,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useDisclosure, useDocumentTitle, useLocalStorage, useScrollSpy } from "@mantine/hooks";
import { useEffect, useMemo, useRef, useState } from "react";
import { lastOrganization } from "../../layout/lastOrganization";
import classes from "./apiDocs.module.css";
import { SampleContext } from "./CodeSample";
import { anchorOf, OPERATION_GROUPS } from "./developerApi";
import { EVENTS, EventChapters, START, StartChapters } from "./Guide";
import { OperationSection } from "./OperationSection";
import type { Language } from "./samples";

/** The reference of the developer API, for everybody who can reach the service. */
export default function ApiDocsPage() {
  useDocumentTitle("API reference · Parley");
  const [menuOpen, menu] = useDisclosure(false);
  const [language, setLanguage] = useLocalStorage<Language>({
    key: "parley.docs-language",
    defaultValue: "curl",
    getInitialValueInEffect: false,
  });
  const [key, setKey] = useState("");
  const [workflowId, setWorkflowId] = useState("");
  const samples = useMemo(
    () => ({ origin: location.origin, key, setKey, workflowId, language, setLanguage }),
    [key, workflowId, language, setLanguage],
  );
  const organization = lastOrganization();
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
          <SimpleGrid cols={{ base: 1, sm: 2 }} maw={680} mb="md" style={{ alignItems: "end" }}>
            <TextInput
              label="Your API key"
              description="Kept until you leave the page."
              placeholder="sk-…"
              autoComplete="off"
              spellCheck={false}
              value={key}
              onChange={(event) => setKey(event.currentTarget.value.trim())}
            />
            <TextInput
              label="Your agent’s ID"
              description="From the address of the agent’s page."
              placeholder="0192f0c1a2b37c4d8e5f60718293a4b5"
              autoComplete="off"
              spellCheck={false}
              value={workflowId}
              onChange={(event) => setWorkflowId(event.currentTarget.value.trim())}
            />
          </SimpleGrid>
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

/** Without the order of a list, which is said at the operation. */
const menuTitle = (summary: string) => summary.replace(/, (newest|oldest) first$/, "");

const CHAPTERS = [
  { title: "Get started", entries: [...START] },
  ...OPERATION_GROUPS.map(({ title, operations }) => ({
    title,
    entries: operations.map((each) => ({ anchor: anchorOf(each), title: menuTitle(each.summary) })),
  })),
  { title: "Events", entries: [...EVENTS] },
];

const SECTIONS = CHAPTERS.flatMap(({ entries }) => entries.map(({ anchor }) => `[id="${anchor}"]`)).join(
  ", ",
);

/** Links to the sections, with the one that is read marked, and a field to find them by their words. */
function Contents({ onChoose }: { onChoose: () => void }) {
  const [search, setSearch] = useState("");
  const { active, data } = useScrollSpy({ selector: SECTIONS, offset: 96 });
  const current = data[active]?.id;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const chapters = CHAPTERS.map(({ title, entries }) => ({
    title,
    entries: entries.filter((entry) =>
      `${title} ${entry.title}`.toLowerCase().includes(search.trim().toLowerCase()),
    ),
  })).filter(({ entries }) => entries.length > 0);
  return (
    <>
      <TextInput
        p="xs"
        aria-label="Find a section"
        placeholder="Find a section"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <ScrollArea type="scroll" px="xs" pb="xs" viewportRef={list} onClick={onChoose}>
        {chapters.length === 0 && (
          <Text size="sm" c="dimmed" px="sm">
            No section has this in its title.
          </Text>
        )}
        {chapters.map(({ title, entries }) => (
          <div key={title}>
            <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
              {title}
            </Text>
            {entries.map((entry) => (
              <NavLink
                key={entry.anchor}
                href={`#${entry.anchor}`}
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
