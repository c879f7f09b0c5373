import { notifications } from "@mantine/notifications";
import { IconFlask, IconLink, IconPointer, IconRepeat, type Icon } from "@tabler/icons-react";
import { useState } from "react";
import type { SearchItem } from "../components/SearchDialog";

const GROUP = "This page";

const DETAIL_PAGE = /^\/organizations\/[0-9a-f]{32}\/([a-z]+)\/([0-9a-f]+)$/;

/** Commands for the open page: the buttons in view, what its menus and views have for it, and copying its link. */
export function usePageActions(goTo: (path: string) => void): SearchItem[] {
  const [buttons] = useState(buttonsOfPage);
  const [, kind, id] = DETAIL_PAGE.exec(window.location.pathname) ?? [];
  const action = (label: string, icon: Icon, onChoose: () => void): SearchItem => ({
    key: `page:${label}`,
    group: GROUP,
    label,
    icon,
    onChoose,
  });
  const isNew = ({ label }: SearchItem) => buttons.every((each) => each.label !== label);
  return [
    ...buttons,
    ...[
      ...(kind === "runs"
        ? [action("Run again…", IconRepeat, () => goTo(`runs/${id}?dialog=run-again`))]
        : []),
      ...(kind === "agents" ? [action("Test run", IconFlask, () => goTo(`agents/${id}?view=test`))] : []),
      action("Copy link", IconLink, () => void copyLink()),
    ].filter(isNew),
  ];
}

/** The page names and enables its buttons, so a command is always what its button does. */
function buttonsOfPage(): SearchItem[] {
  const buttons = [
    ...document.querySelectorAll<HTMLElement>("[data-commands] button:enabled:not([aria-haspopup])"),
  ].filter((each) => each.checkVisibility());
  const byLabel = new Map(buttons.map((each) => [each.ariaLabel ?? each.textContent.trim(), each]));
  return [...byLabel].map(([label, button]) => ({
    key: `page:${label}`,
    group: GROUP,
    label,
    icon: IconPointer,
    onChoose: () => button.click(),
  }));
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(window.location.href);
    notifications.show({ message: "Link copied." });
  } catch {
    notifications.show({ color: "red", message: "The browser did not allow copying." });
  }
}
