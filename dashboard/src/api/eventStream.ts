import { useEffect, useState } from "react";
import { isSessionEnded, onSessionChange } from "./session";

const EVENT_TYPES = [
  "message.created",
  "message.updated",
  "workflow_instance.status_changed",
  "ticket.created",
  "ticket.updated",
];

/**
 * Subscribes to server-sent events while the page is visible; browsers allow few connections per origin, and background
 * tabs would use them up. Returns whether the stream is connected, so that pages can poll less often.
 */
export function useEventStream(url: string, onEvent: () => void): boolean {
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    let source: EventSource | null = null;
    const close = () => {
      source?.close();
      source = null;
      setConnected(false);
    };
    const connectWhileVisible = () => {
      if (document.visibilityState === "hidden") {
        close();
      } else if (source === null) {
        source = new EventSource(url);
        source.addEventListener("open", () => {
          setConnected(true);
          // Catch up on events since the page loaded its data.
          onEvent();
        });
        source.addEventListener("error", () => setConnected(false));
        for (const type of EVENT_TYPES) {
          source.addEventListener(type, onEvent);
        }
      }
    };
    connectWhileVisible();
    document.addEventListener("visibilitychange", connectWhileVisible);
    // The browser does not reconnect a stream that was refused.
    const forget = onSessionChange(() => {
      close();
      if (!isSessionEnded()) {
        connectWhileVisible();
      }
    });
    return () => {
      forget();
      document.removeEventListener("visibilitychange", connectWhileVisible);
      close();
    };
  }, [url, onEvent]);
  return connected;
}
