import { Box, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client";
import { ErrorNotice } from "../../components/ErrorNotice";
import { formatAddress } from "../../components/formatAddress";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Time } from "../../components/Time";
import { queryClient } from "../../queryClient";
import { browserName } from "./browserName";

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
              {all.map((each) => {
                const browser = browserName(each.user_agent);
                return (
                  <Group key={each.id} justify="space-between" wrap="nowrap">
                    <Box miw={0}>
                      <Text size="sm" fw={600}>
                        {browser}
                        {each.current && " (this browser)"}
                      </Text>
                      <Text size="xs" c="dimmed" component="div">
                        {formatAddress(each.address)} · signed in <Time at={each.created_at} relative /> ·
                        last used <Time at={each.last_seen_at} relative />
                      </Text>
                    </Box>
                    {!each.current && (
                      <Button
                        flex="none"
                        variant="subtle"
                        size="xs"
                        aria-label={`Sign out ${browser}, ${each.address}`}
                        loading={end.isPending && end.variables === each.id}
                        onClick={() => end.mutate(each.id)}
                      >
                        Sign out
                      </Button>
                    )}
                  </Group>
                );
              })}
            </Stack>
          )}
        </QueryBoundary>
      </Stack>
    </Paper>
  );
}
