import { useEffect, useState } from "react";

const TYPES = [
  "message.created",
  "message.updated",
  "workflow_instance.status_changed",
  "ticket.created",
  "ticket.updated",
];

/**
 * Listens to server-sent events and calls back for each, as long as the page is seen: browsers allow few connections
 * to one address, and pages in the background would take them. Answers whether the stream stands, so that nobody needs
 * to ask again and again while it does.
 */
export function useLive(address: string, onEvent: () => void): boolean {
  const [stands, setStands] = useState(false);
  useEffect(() => {
    let source: EventSource | null = null;
    const close = () => {
      source?.close();
      source = null;
      setStands(false);
    };
    const follow = () => {
      if (document.visibilityState === "hidden") {
        close();
      } else if (source === null) {
        source = new EventSource(address);
        source.addEventListener("open", () => {
          setStands(true);
          // What happened between the page's own request and now.
          onEvent();
        });
        source.addEventListener("error", () => setStands(false));
        for (const type of TYPES) {
          source.addEventListener(type, onEvent);
        }
      }
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      close();
    };
  }, [address, onEvent]);
  return stands;
}
