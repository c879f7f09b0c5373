import { useWindowEvent } from "@mantine/hooks";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { isTyping } from "../components/shortcuts";

const PAGES: Record<string, string> = {
  o: "overview",
  t: "tickets",
  c: "conversations",
  a: "agents",
  r: "runs",
};

/** The time for the second key. */
const PAUSE_MS = 1_500;

/** Goes to a page of the organization with "G" and the letter of the page. */
export function useGoToKeys(orgId: string | undefined) {
  const navigate = useNavigate();
  const pressedAt = useRef(-PAUSE_MS);
  const onKey = (event: KeyboardEvent) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (!orgId || modified || isTyping(event.target) || document.querySelector("[role=dialog]")) {
      return;
    }
    const isSecond = event.timeStamp - pressedAt.current < PAUSE_MS;
    const page = isSecond ? PAGES[event.key] : undefined;
    pressedAt.current = event.key === "g" && !isSecond ? event.timeStamp : -PAUSE_MS;
    if (page) {
      // The letter alone may be a shortcut of the page.
      event.preventDefault();
      event.stopImmediatePropagation();
      void navigate(`/organizations/${orgId}/${page}`);
    }
  };
  useWindowEvent("keydown", onKey, true);
}
