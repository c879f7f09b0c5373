export const KIND_LABELS = {
  builtin: "Built-in",
  mcp: "MCP server",
  openapi: "OpenAPI service",
  workflow: "Workflows",
};

export type ProviderKind = keyof typeof KIND_LABELS;

export const KIND_OPTIONS = Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }));

/** The built-in provider is called "builtin" in the API. */
export const providerName = (name: string) => (name === "builtin" ? KIND_LABELS.builtin : name);
