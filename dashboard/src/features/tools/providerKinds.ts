export const KIND_LABELS = {
  builtin: "Built-in",
  mcp: "MCP server",
  openapi: "OpenAPI service",
  workflow: "Agents",
};

export type ProviderKind = keyof typeof KIND_LABELS;

export const KIND_OPTIONS = Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }));

/** The providers that every organization has are called "builtin" and "workflow" in the API. */
export const providerName = (name: string) =>
  name === "builtin" || name === "workflow" ? KIND_LABELS[name] : name;
