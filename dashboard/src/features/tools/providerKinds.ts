import { IconApi, IconPlugConnected, IconRobot, IconTool, type Icon } from "@tabler/icons-react";

export const KIND_LABELS = {
  builtin: "Built-in",
  mcp: "MCP server",
  openapi: "OpenAPI service",
  workflow: "Agents",
};

export type ProviderKind = keyof typeof KIND_LABELS;

export const KIND_ICONS: Record<ProviderKind, Icon> = {
  builtin: IconTool,
  mcp: IconPlugConnected,
  openapi: IconApi,
  workflow: IconRobot,
};

/** The providers that every organization has are called "builtin" and "workflow" in the API. */
export const providerName = (name: string) =>
  name === "builtin" || name === "workflow" ? KIND_LABELS[name] : name;
