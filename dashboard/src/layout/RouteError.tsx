import { Button, Center, Code, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { useLocation, useNavigate, useRouteError } from "react-router";
import { check, currentConnection, subscribeConnection, useConnection } from "../api";
import { SecondaryButton } from "../components/variants";

/** Errors of `import()` in the browsers. */
const SCRIPT = /dynamically imported module|importing a module script|error loading|unable to preload/i;

/** Shown when a page crashes, or when its script cannot be loaded: offline, or after an update. */
export function RouteError() {
  const error = useRouteError();
  const message = error instanceof Error ? error.message : String(error);
  return SCRIPT.test(message) ? <LostScript /> : <Crash message={message} />;
}

/** Browsers keep a failed import, so the page is reloaded, but only when Parley responds. */
function LostScript() {
  useEffect(() => {
    let lost = currentConnection().state !== "ok";
    const unsubscribe = subscribeConnection(() => {
      if (currentConnection().state !== "ok") {
        lost = true;
      } else if (lost) {
        location.reload();
      }
    });
    // A failed import is not recorded as a lost connection.
    void check();
    return unsubscribe;
  }, []);
  const isLost = useConnection().state !== "ok";
  const retry = async () => {
    if (await check()) {
      location.reload();
    }
  };
  return (
    <Problem
      title="This page couldn’t be loaded"
      about={
        isLost
          ? "It loads as soon as the connection is back."
          : "You may be offline, or Parley has just been updated."
      }
    >
      {/* The banner of a lost connection has such a button. */}
      {!isLost && <Button onClick={() => void retry()}>Try again</Button>}
    </Problem>
  );
}

function Crash({ message }: { message: string }) {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  return (
    <Problem
      title="This page couldn’t be displayed"
      about="Try again. If that doesn’t help, reload the page."
      details={message}
    >
      <Button onClick={() => void navigate(pathname + search + hash, { replace: true })}>Try again</Button>
      <SecondaryButton onClick={() => location.reload()}>Reload</SecondaryButton>
    </Problem>
  );
}

interface ProblemProps {
  title: string;
  about: string;
  details?: string;
  children: React.ReactNode;
}

function Problem({ title, about, details, children }: ProblemProps) {
  return (
    <Center py={80} role="alert">
      <Stack align="center" gap="sm" maw={520}>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="dimmed" ta="center">
          {about}
        </Text>
        {details && <Code block>{details}</Code>}
        <Group>{children}</Group>
      </Stack>
    </Center>
  );
}
