import { Group, MultiSelect, NumberInput, Select } from "@mantine/core";
import { useModels, type Schemas } from "../../api";
import type { Task } from "../../graph/document";
import { capabilitiesOf, pricesOf } from "../models/modelTexts";
import { useIssuesAt } from "../../values/validation";

interface Props {
  task: Task;
  path: string;
  onChange: (change: Partial<Task>) => void;
}

/** The fields of an AI task about its model. */
export const MODEL_FIELDS = [
  "model",
  "fallbacks",
  "temperature",
  "max_output_tokens",
  "reasoning_effort",
] as const;

const MAX_FALLBACKS = 5;

const EFFORTS = ["minimal", "low", "medium", "high"].map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}));

/** Prices and capabilities of a model, for its choice. */
const factsOf = (model: Schemas["Model"]) =>
  [model.name, pricesOf(model), ...capabilitiesOf(model)].join(" · ");

/** Which model performs an AI task, and how. */
export function ModelFields({ task, path, onChange }: Props) {
  const at = useIssuesAt();
  const { data: models = [] } = useModels();
  const fallbacks = task.fallbacks ?? [];
  const chosen = models.find(({ alias }) => alias === (task.model ?? "default"));
  // Deleted models stay visible.
  const aliases = [...new Set([...models.map(({ alias }) => alias), ...fallbacks, task.model ?? ""])].filter(
    Boolean,
  );
  const labelOf = (alias: string) =>
    models.some((each) => each.alias === alias) ? alias : `${alias} (deleted)`;
  const options = aliases.map((alias) => ({ value: alias, label: labelOf(alias) }));
  const number = (value: string | number) => (value === "" ? undefined : Number(value));
  return (
    <>
      <Select
        label="Model"
        placeholder="Default"
        clearable
        searchable
        description={chosen && factsOf(chosen)}
        data={options}
        value={task.model ?? null}
        error={at(`${path}/model`)}
        renderOption={({ option }) => {
          const model = models.find(({ alias }) => alias === option.value);
          return (
            <div>
              {option.label}
              {model && <div style={{ fontSize: "var(--mantine-font-size-xs)" }}>{factsOf(model)}</div>}
            </div>
          );
        }}
        onChange={(model) => onChange({ model: model ?? undefined })}
      />
      <MultiSelect
        label="Fallbacks"
        description="Asked in this order while the model is down, overloaded or can’t read as much."
        placeholder={fallbacks.length === 0 ? "None" : undefined}
        searchable
        maxValues={MAX_FALLBACKS}
        data={options.filter(({ value }) => value !== task.model)}
        value={fallbacks}
        error={
          at(`${path}/fallbacks`) ??
          fallbacks.map((_, index) => at(`${path}/fallbacks/${index}`)).find(Boolean)
        }
        onChange={(next) => onChange({ fallbacks: next.length > 0 ? next : undefined })}
      />
      <Group grow gap="xs" align="flex-start">
        <NumberInput
          label="Temperature"
          min={0}
          max={2}
          step={0.1}
          placeholder="Default"
          value={task.temperature ?? ""}
          error={at(`${path}/temperature`)}
          onChange={(value) => onChange({ temperature: number(value) })}
        />
        <NumberInput
          label="Maximum output (tokens)"
          min={1}
          allowDecimal={false}
          placeholder="Default"
          value={task.max_output_tokens ?? ""}
          error={at(`${path}/max_output_tokens`)}
          onChange={(value) => onChange({ max_output_tokens: number(value) })}
        />
      </Group>
      <Select
        label="Reasoning effort"
        placeholder="Default"
        clearable
        data={EFFORTS}
        value={task.reasoning_effort ?? null}
        error={at(`${path}/reasoning_effort`)}
        onChange={(value) => onChange({ reasoning_effort: (value ?? undefined) as Task["reasoning_effort"] })}
      />
    </>
  );
}
