import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { useFilters } from "./useFilters";

interface Props {
  /** The parameter of the URL that names the open tab; without it, the first one is open. */
  param: string;
  /** By name. */
  tabs: Record<string, { label: string; panel: ReactNode }>;
}

/** Tabs, of which the URL names the open one. */
export function UrlTabs({ param, tabs }: Props) {
  const filters = useFilters();
  const [first = ""] = Object.keys(tabs);
  const open = filters.get(param) ?? first;
  return (
    <Tabs
      value={open in tabs ? open : first}
      onChange={(tab) => filters.set(param, tab === first ? null : tab)}
      keepMounted={false}
    >
      <Tabs.List>
        {Object.entries(tabs).map(([name, { label }]) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {Object.entries(tabs).map(([name, { panel }]) => (
        <Tabs.Panel key={name} value={name} pt="md">
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
