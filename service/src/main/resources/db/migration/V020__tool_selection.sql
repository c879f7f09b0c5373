-- The operations of an OpenAPI description that become tools, as JSON: {"operations": […], "tags": […]}; null for all.
ALTER TABLE tool_provider ADD COLUMN selection text;
