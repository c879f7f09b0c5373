import { Accordion, Alert, Anchor, Stack, Text } from "@mantine/core";
import { useParams } from "react-router";
import { PageLink } from "../../components/PageLink";
import { useIsAdmin, useTool, useToolProvider, type Schemas } from "../../api";
import { Dimmed } from "../../components/variants";
import { JsonTree } from "../../components/JsonTree";
import { QueryBoundary } from "../../components/QueryBoundary";
import { Page } from "../../components/Page";
import { StatusLabel } from "../../components/StatusLabel";
import { Time } from "../../components/Time";
import { UsedBy } from "../../components/UsedBy";
import { providerName } from "./providerKinds";
import { ToolTrial } from "./ToolTrial";

/** A tool with its schemas, the agents that use it, and a form to try it. */
export default function ToolPage() {
  const isAdmin = useIsAdmin();
  const toolId = Number(useParams().toolId);
  const tool = useTool(toolId);
  const provider = useToolProvider(tool.data?.provider_id);
  return (
    <QueryBoundary query={tool}>
      {(found) => (
        <Page
          title={found.title || found.tool_name}
          back={{ to: "tools", label: "Tools" }}
          badge={found.available ? undefined : <StatusLabel status="Not available" />}
          about={
            <>
              <Anchor component={PageLink} to={`tools?provider=${found.provider_id}`}>
                {providerName(found.provider)}
              </Anchor>{" "}
              ·{" "}
              {found.provider === "workflow" ? (
                <Anchor component={PageLink} to={`agents/${found.tool_name}`}>
                  Open the agent
                </Anchor>
              ) : (
                found.tool_name
              )}{" "}
              · ID {found.tool_id}
            </>
          }
        >
          <Text maw={760} style={{ whiteSpace: "pre-wrap" }}>
            {found.description}
          </Text>
          <ProviderNotice provider={provider} />
          {isAdmin ? (
            <ToolTrial key={found.tool_id} tool={found} kind={provider?.kind}>
              <About tool={found} />
            </ToolTrial>
          ) : (
            <>
              <Dimmed>Only owners and admins can try tools, because every call is real.</Dimmed>
              <About tool={found} />
            </>
          )}
        </Page>
      )}
    </QueryBoundary>
  );
}

/** Why the tool may not work: its provider is disabled, or its last refresh failed. */
function ProviderNotice({ provider }: { provider: Schemas["ToolProvider"] | undefined }) {
  if (!provider || (provider.enabled && !provider.error)) {
    return null;
  }
  return (
    <Alert
      color="yellow"
      maw={760}
      title={provider.enabled ? `“${provider.name}” couldn’t be refreshed` : `“${provider.name}” is disabled`}
    >
      {provider.enabled ? (
        <>
          {provider.error} <Time at={provider.refreshed_at} relative />
        </>
      ) : (
        "Its tools aren’t called until an admin enables it."
      )}
    </Alert>
  );
}

function About({ tool }: { tool: Schemas["Tool"] }) {
  return (
    <Stack gap="lg">
      <UsedBy kind="tool" id={tool.tool_id} />
      <Accordion variant="contained" multiple>
        <Accordion.Item value="input">
          <Accordion.Control>Input schema</Accordion.Control>
          <Accordion.Panel>
            <JsonTree value={tool.input_schema} label="input schema" />
          </Accordion.Panel>
        </Accordion.Item>
        {tool.output_schema && (
          <Accordion.Item value="output">
            <Accordion.Control>Output schema</Accordion.Control>
            <Accordion.Panel>
              <JsonTree value={tool.output_schema} label="output schema" />
            </Accordion.Panel>
          </Accordion.Item>
        )}
      </Accordion>
    </Stack>
  );
}
