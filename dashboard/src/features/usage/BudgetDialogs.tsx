import { Modal, NumberInput, SegmentedControl, Select, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useActiveApiKeys, useChangeBudget, useCreateBudget, useWorkflows, type Schemas } from "../../api";
import { Form } from "../../components/Form";
import { DimmedXs } from "../../components/variants";
import { fromEntered, limitLabel, toEntered } from "./budgetAmounts";

const SCOPES = [
  { value: "ORGANIZATION", label: "All of the organization" },
  { value: "WORKFLOW", label: "One agent" },
  { value: "API_KEY", label: "One API key" },
];

interface NewProps {
  opened: boolean;
  onClose: () => void;
}

export function NewBudgetDialog({ opened, onClose }: NewProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="New budget">
      <NewBudgetForm onCreated={onClose} />
    </Modal>
  );
}

interface Values extends Omit<Schemas["NewBudget"], "limit" | "scope_id"> {
  scope_id: string | null;
  limit: number | string;
}

const INITIAL: Values = { scope: "ORGANIZATION", scope_id: null, period: "MONTH", unit: "COST", limit: "" };

function NewBudgetForm({ onCreated }: { onCreated: () => void }) {
  const form = useForm({
    initialValues: INITIAL,
    transformValues: ({ scope, scope_id, limit, ...rest }): Schemas["NewBudget"] => ({
      ...rest,
      scope,
      ...(scope !== "ORGANIZATION" && { scope_id }),
      limit: fromEntered(rest.unit, Number(limit)),
    }),
  });
  const create = useCreateBudget({ done: "Budget created.", onSuccess: onCreated });
  const { scope, unit } = form.values;
  return (
    <Form form={form} mutation={create} action="Create budget">
      <Select
        label="For"
        data={SCOPES}
        allowDeselect={false}
        {...form.getInputProps("scope")}
        onChange={(value) =>
          form.setValues({ scope: (value as Values["scope"] | null) ?? "ORGANIZATION", scope_id: null })
        }
      />
      {scope !== "ORGANIZATION" && <ScopePicker scope={scope} props={form.getInputProps("scope_id")} />}
      <Stack gap={4}>
        <SegmentedControl
          aria-label="Period"
          data={[
            { value: "DAY", label: "Per day" },
            { value: "MONTH", label: "Per month" },
          ]}
          {...form.getInputProps("period")}
        />
        <SegmentedControl
          aria-label="Unit"
          data={[
            { value: "COST", label: "Cost" },
            { value: "TOKENS", label: "Tokens" },
          ]}
          {...form.getInputProps("unit")}
        />
      </Stack>
      <NumberInput
        label={limitLabel(unit)}
        required
        min={0}
        hideControls
        thousandSeparator
        decimalScale={unit === "COST" ? 6 : 0}
        {...form.getInputProps("limit")}
      />
      <DimmedXs>
        Owners and admins get an email at 80%. At the limit, calls of models are refused: chats get a notice,
        and agents pause until the next period or a higher limit.
      </DimmedXs>
    </Form>
  );
}

function ScopePicker({ scope, props }: { scope: "WORKFLOW" | "API_KEY"; props: object }) {
  const { data: workflows } = useWorkflows();
  const { data: keys } = useActiveApiKeys();
  const choices = (scope === "WORKFLOW" ? workflows : keys?.items) ?? [];
  return (
    <Select
      label={scope === "WORKFLOW" ? "Agent" : "API key"}
      placeholder="Choose"
      required
      searchable
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      {...props}
    />
  );
}

interface ChangeProps {
  /** The budget to change; null closes the dialog. */
  budget: Schemas["Budget"] | null;
  onClose: () => void;
}

export function ChangeBudgetDialog({ budget, onClose }: ChangeProps) {
  return (
    <Modal opened={budget !== null} onClose={onClose} title="Change limit">
      {budget && <ChangeForm budget={budget} onChanged={onClose} />}
    </Modal>
  );
}

function ChangeForm({ budget, onChanged }: { budget: Schemas["Budget"]; onChanged: () => void }) {
  const form = useForm({
    initialValues: { limit: toEntered(budget.unit, budget.limit) as number | string },
    transformValues: ({ limit }) => ({ limit: fromEntered(budget.unit, Number(limit)) }),
  });
  const change = useChangeBudget(budget, { done: "Limit changed.", onSuccess: onChanged });
  return (
    <Form form={form} mutation={change} action="Change limit">
      <NumberInput
        label={limitLabel(budget.unit)}
        required
        data-autofocus
        min={0}
        hideControls
        thousandSeparator
        decimalScale={budget.unit === "COST" ? 6 : 0}
        {...form.getInputProps("limit")}
      />
    </Form>
  );
}
