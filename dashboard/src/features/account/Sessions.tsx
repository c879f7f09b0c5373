import { Box, Button, Group, Paper, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { useEndOtherSessions, useEndSession, useSessions, type Schemas } from "../../api";
import { SectionHeading, SmallButton, Strong, DimmedXs } from "../../components/variants";
import { ErrorNotice } from "../../components/ErrorNotice";
import { formatAddress } from "../../components/formatAddress";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { groupSessions } from "./sessionGroups";

/** Where the user is signed in; ends single sessions or all others. */
export function Sessions() {
  const sessions = useSessions();
  const end = useEndSession();
  const endOthers = useEndOtherSessions({ done: "Signed out everywhere else." });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="sessions">
      <Stack>
        <Group justify="space-between">
          <SectionHeading id="sessions">Sessions</SectionHeading>
          {(sessions.data?.length ?? 0) > 1 && (
            <SmallButton loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
              Sign out everywhere else
            </SmallButton>
          )}
        </Group>
        <ErrorNotice error={end.error ?? endOthers.error} />
        <QueryBoundary query={sessions}>
          {(all) => (
            <Stack gap="sm">
              {groupSessions(all).map(({ name, sessions: some }) => {
                const rows = some.map((each) => (
                  <SessionRow
                    key={each.id}
                    name={name}
                    session={each}
                    isEnding={end.isPending && end.variables === each.id}
                    onEnd={() => end.mutate(each.id)}
                  />
                ));
                return some.length > 1 ? (
                  <SessionGroup key={name} name={name} sessions={some}>
                    {rows}
                  </SessionGroup>
                ) : (
                  rows
                );
              })}
            </Stack>
          )}
        </QueryBoundary>
      </Stack>
    </Paper>
  );
}

interface RowProps {
  name: string;
  session: Schemas["UserSession"];
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ name, session, isEnding, onEnd }: RowProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Box miw={0}>
        <Strong>
          {name}
          {session.current && " (this browser)"}
        </Strong>
        <DimmedXs component="div">
          {formatAddress(session.address)} · signed in <Time at={session.created_at} relative /> · last used{" "}
          <Time at={session.last_seen_at} relative />
        </DimmedXs>
      </Box>
      {!session.current && (
        <Button
          flex="none"
          variant="subtle"
          size="xs"
          aria-label={`Sign out ${name}, ${session.address}`}
          loading={isEnding}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </Group>
  );
}

interface GroupProps {
  name: string;
  sessions: Schemas["UserSession"][];
  children: ReactNode;
}

/** Several sessions of identical browsers, folded. */
function SessionGroup({ name, sessions, children }: GroupProps) {
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <Box miw={0}>
          <Strong>
            {name}, {sessions.length} sessions
          </Strong>
          <DimmedXs component="div">
            last used <Time at={sessions[0]?.last_seen_at} relative />
          </DimmedXs>
        </Box>
        <Button
          flex="none"
          variant="subtle"
          size="xs"
          aria-expanded={opened}
          aria-label={`${opened ? "Hide" : "Show"} the sessions of ${name}`}
          onClick={toggle}
        >
          {opened ? "Hide" : "Show"}
        </Button>
      </Group>
      {opened && (
        <Stack gap="sm" pl="md">
          {children}
        </Stack>
      )}
    </Stack>
  );
}
