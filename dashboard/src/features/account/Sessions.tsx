import { Box, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, unwrap, type Schemas } from "../../api/client";
import { ErrorNotice } from "../../components/ErrorNotice";
import { formatAddress } from "../../components/formatAddress";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { groupSessions } from "./sessionGroups";

const KEY = ["sessions"];

/** Where the user is signed in; ends single sessions or all others. */
export function Sessions() {
  const sessions = useQuery({
    queryKey: KEY,
    queryFn: () => unwrap(api.GET("/dashboard/api/me/sessions")),
  });
  const refresh = () => queryClient.invalidateQueries({ queryKey: KEY });
  const end = useMutation({
    mutationFn: (sessionId: string) =>
      unwrap(api.DELETE("/dashboard/api/me/sessions/{sessionId}", { params: { path: { sessionId } } })),
    onSettled: refresh,
  });
  const endOthers = useMutation({
    mutationFn: () => unwrap(api.DELETE("/dashboard/api/me/sessions")),
    onSuccess: () => notifications.show({ message: "Signed out everywhere else." }),
    onSettled: refresh,
  });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="sessions">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4" id="sessions">
            Sessions
          </Title>
          {(sessions.data?.length ?? 0) > 1 && (
            <Button
              variant="default"
              size="xs"
              loading={endOthers.isPending}
              onClick={() => endOthers.mutate()}
            >
              Sign out everywhere else
            </Button>
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
        <Text size="sm" fw={600}>
          {name}
          {session.current && " (this browser)"}
        </Text>
        <Text size="xs" c="dimmed" component="div">
          {formatAddress(session.address)} · signed in <Time at={session.created_at} relative /> · last used{" "}
          <Time at={session.last_seen_at} relative />
        </Text>
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
          <Text size="sm" fw={600}>
            {name}, {sessions.length} sessions
          </Text>
          <Text size="xs" c="dimmed" component="div">
            last used <Time at={sessions[0]?.last_seen_at} relative />
          </Text>
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
