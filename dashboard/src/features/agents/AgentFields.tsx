import { Group, MultiSelect, NumberInput, Select, Stack } from "@mantine/core";
import { useTools, type Schemas } from "../../api";
import { optionsOf } from "../../components/optionsOf";
import { DimmedXs } from "../../components/variants";
import { EVENT_WAIT, TIME_WAIT, typeText, type ExpressionName } from "../../graph/controlFlow";
import type { Task } from "../../graph/document";
import { written } from "../../graph/expressions";
import { providerName } from "../tools/providerKinds";
import { ConditionField } from "./ConditionField";
import { parametersOfTool } from "./schemaParameters";
import { useIssuesAt } from "../../values/validation";

interface Props {
  task: Task;
  path: string;
  onChange: (change: Partial<Task>) => void;
}

type ToolEntry = NonNullable<Task["tools"]>[number];
type AgentTool = Extract<ToolEntry, object>;
type Approval = NonNullable<AgentTool["approval"]>;

export const toolName = (tool: Schemas["Tool"]) =>
  `${tool.provider === "workflow" ? "Agent" : providerName(tool.provider)} · ${tool.title || tool.tool_name}`;

function unavailableName(tools: Schemas["Tool"][], id: string): string {
  const tool = tools.find((each) => String(each.tool_id) === id);
  return tool ? `${toolName(tool)} (App tasks only)` : `Tool ${id} (deleted)`;
}

const APPROVALS = optionsOf<Approval>({
  never: "No approval",
  always: "Always ask a person",
  when: "Ask when…",
});

const toolOf = (entry: ToolEntry): AgentTool => (typeof entry === "object" ? entry : { id: entry });

/** A tool without an approval is written as its ID alone. */
const entryOf = (tool: AgentTool): ToolEntry => (tool.approval && tool.approval !== "never" ? tool : tool.id);

/** The names that the condition of an approval may use. */
const argumentNames = (tool: Schemas["Tool"] | undefined): ExpressionName[] =>
  tool === undefined
    ? []
    : parametersOfTool(tool).inputs.map(({ name, type, items, description }) => ({
        text: written(["arguments", name]),
        type: typeText(type, items),
        description: description ?? "",
      }));

/** The tools of an AI task with their approvals. */
export function ToolFields({ task, path, onChange }: Props) {
  const at = useIssuesAt();
  const { data: tools = [] } = useTools();
  const listed = (task.tools ?? []).map(toolOf);
  const chosen = listed.map((tool) => String(tool.id));
  // A model cannot wait for a time or an event.
  const callable = tools.filter(({ tool_id }) => tool_id !== TIME_WAIT && tool_id !== EVENT_WAIT);
  const known = callable.map((each) => ({ value: String(each.tool_id), label: toolName(each) }));
  const nameOf = (id: string) => known.find((each) => each.value === id)?.label ?? unavailableName(tools, id);
  const deleted = chosen
    .filter((id) => !known.some((each) => each.value === id))
    .map((id) => ({ value: id, label: nameOf(id) }));
  const update = (next: AgentTool[]) => onChange({ tools: next.length > 0 ? next.map(entryOf) : undefined });
  return (
    <>
      <MultiSelect
        label="Tools"
        placeholder={chosen.length === 0 ? "None" : undefined}
        searchable
        maxValues={32}
        data={[...known, ...deleted]}
        value={chosen}
        error={at(`${path}/tools`) ?? chosen.map((_, index) => at(`${path}/tools/${index}`)).find(Boolean)}
        onChange={(ids) =>
          update(ids.map((id) => listed.find((tool) => String(tool.id) === id) ?? { id: Number(id) }))
        }
      />
      {listed.map((tool, index) => (
        <Stack key={tool.id} gap={4}>
          <Select
            size="xs"
            label={`Approval of ${nameOf(String(tool.id))}`}
            allowDeselect={false}
            data={APPROVALS}
            value={tool.approval ?? "never"}
            error={at(`${path}/tools/${index}/approval`)}
            onChange={(value) => {
              const approval = (value ?? "never") as Approval;
              const rule = approval === "when" ? { approval, when: tool.when ?? "" } : { approval };
              update(listed.map((each, other) => (other === index ? { id: each.id, ...rule } : each)));
            }}
          />
          {tool.approval === "when" && (
            <ConditionField
              label="Condition over the arguments"
              field={`tools/${index}/when`}
              required
              names={argumentNames(tools.find((each) => each.tool_id === tool.id))}
              value={tool.when ?? ""}
              error={at(`${path}/tools/${index}/when`)}
              onChange={(when) =>
                update(listed.map((each, other) => (other === index ? { ...each, when } : each)))
              }
            />
          )}
        </Stack>
      ))}
    </>
  );
}

const LIMITS = [
  { name: "model_calls", label: "Model calls" },
  { name: "tool_calls", label: "Tool calls" },
  { name: "tokens", label: "Tokens" },
  { name: "cost", label: "Cost" },
] as const;

/** The limits of an AI task. */
export function LimitFields({ task, path, onChange }: Props) {
  const at = useIssuesAt();
  const limits = task.limits ?? {};
  return (
    <Stack gap={4}>
      <DimmedXs>Optional. The task fails before a call that would exceed one.</DimmedXs>
      <Group grow gap="xs" align="flex-start">
        {LIMITS.slice(0, 2).map(limitField)}
      </Group>
      <Group grow gap="xs" align="flex-start">
        {LIMITS.slice(2).map(limitField)}
      </Group>
    </Stack>
  );

  function limitField({ name, label }: (typeof LIMITS)[number]) {
    return (
      <NumberInput
        key={name}
        size="xs"
        label={label}
        min={0}
        allowNegative={false}
        allowDecimal={name === "cost"}
        value={limits[name] ?? ""}
        error={at(`${path}/limits/${name}`)}
        onChange={(value) => {
          const next = { ...limits, [name]: value === "" ? undefined : Number(value) };
          const isEmpty = Object.values(next).every((each) => each === undefined || each === null);
          onChange({ limits: isEmpty ? undefined : next });
        }}
      />
    );
  }
}
