import { useEffect, useState } from "react";
import { DELTA_TYPES, LiveTexts } from "./liveTexts";
import { isSessionEnded, onSessionChange } from "./session";

const EVENT_TYPES = [
  "message.created",
  "message.updated",
  "workflow_instance.status_changed",
  "ticket.created",
  "ticket.updated",
];

const dataOf = (event: MessageEvent<string>) =>
  (JSON.parse(event.data) as { data: Parameters<LiveTexts["apply"]>[1] }).data;

/**
 * Subscribes to server-sent events while the page is visible; browsers allow few connections per origin, and background
 * tabs would use them up.
 *
 * @returns whether the stream is connected, so that pages can poll less often, and the texts that models are writing
 */
export function useEventStream(url: string, onEvent: () => void) {
  const [connected, setConnected] = useState(false);
  const [texts] = useState(() => new LiveTexts());
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
          // The stream begins with the texts so far.
          texts.clear();
          // Catch up on events since the page loaded its data.
          onEvent();
        });
        source.addEventListener("error", () => setConnected(false));
        for (const type of EVENT_TYPES) {
          source.addEventListener(type, onEvent);
        }
        for (const type of DELTA_TYPES) {
          source.addEventListener(type, (event: MessageEvent<string>) => texts.apply(type, dataOf(event)));
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
      texts.clear();
    };
  }, [url, onEvent, texts]);
  return { connected, texts };
}
