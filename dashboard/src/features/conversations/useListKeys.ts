import { useShortcutHelp, type ShortcutGroup } from "../../components/shortcuts";
import { useShortcutKeys } from "../../components/useShortcutKeys";

export const SEARCH_FIELD = "conversation-search";

/** The links to conversations in a list; only those near the window exist in a long one. */
const LINKS = "a[data-conversation]";

let lastFocused: string | undefined;

/** The link by a step from the focused one, or else the one that was opened or focused last, or else the first. */
function linkAfter(step: number): HTMLAnchorElement | undefined {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(LINKS)];
  const at = links.findIndex((link) => link === document.activeElement);
  if (at >= 0) {
    return links[at + step];
  }
  const open = links.findIndex((link) => link.ariaCurrent === "page");
  return open >= 0
    ? links[open + step]
    : (links.find((link) => link.dataset.conversation === lastFocused) ?? links[0]);
}

/** Lets a list of conversations go on from this one. */
export function rememberConversation(id: string | undefined) {
  lastFocused = id;
}

interface Options {
  /** Whether J and K open the conversation, too, as in the list beside an open one. */
  opens: boolean;
}

/** Keys that move in the list of conversations and search in it. */
export function useListKeys(help: ShortcutGroup, { opens }: Options) {
  useShortcutHelp(help);
  const move = (step: number) => {
    const link = linkAfter(step);
    if (link) {
      rememberConversation(link.dataset.conversation);
      link.focus();
      if (opens) {
        link.click();
      }
    }
  };
  useShortcutKeys({
    j: () => move(1),
    k: () => move(-1),
    "/": () => document.getElementById(SEARCH_FIELD)?.focus(),
  });
}
