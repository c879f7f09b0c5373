import { Checkbox, Group, NumberInput, Select, Stack, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import {
  costCurrency,
  useChangeModel,
  useCreateModel,
  useEditedModel,
  type ModelBody,
  type Schemas,
  type Tagged,
} from "../../api";
import { DimmedXs } from "../../components/variants";
import { EntryModal } from "../../components/EntryModal";
import { Form } from "../../components/Form";
import { QueryBoundary } from "../../components/QueryBoundary";
import { CAPABILITIES } from "./modelTexts";

type Model = Schemas["Model"];

interface Props {
  opened: boolean;
  providers: Schemas["ModelProvider"][];
  /** The provider of a new model. */
  providerId?: number;
  /** Undefined to add one. */
  modelId?: number;
  onClose: () => void;
}

export function ModelDialog({ opened, modelId, ...props }: Props) {
  return (
    <EntryModal
      opened={opened}
      onClose={props.onClose}
      title={modelId === undefined ? "Add model" : "Edit model"}
    >
      {modelId === undefined ? <NewModel {...props} /> : <LoadedModel modelId={modelId} {...props} />}
    </EntryModal>
  );
}

function LoadedModel({ modelId, ...props }: Omit<Props, "opened"> & { modelId: number }) {
  const loaded = useEditedModel(modelId);
  return <QueryBoundary query={loaded}>{(model) => <ChangedModel model={model} {...props} />}</QueryBoundary>;
}

const UNKNOWN: Schemas["ModelCapabilities"] = {
  tools: null,
  images: null,
  json_schema: null,
  json_object: null,
  streaming: null,
  reasoning: null,
};

const NUMBERS = [
  "context_tokens",
  "max_output_tokens",
  "input_price",
  "cached_input_price",
  "output_price",
] as const;

type NumberName = (typeof NUMBERS)[number];

type Values = Record<NumberName, number | ""> & {
  provider_id: string;
  alias: string;
  name: string;
  capabilities: Schemas["ModelCapabilities"];
  is_default: boolean;
};

const valuesOf = (model: Partial<Model>): Values => ({
  provider_id: model.provider_id ? String(model.provider_id) : "",
  alias: model.alias ?? "",
  name: model.name ?? "",
  context_tokens: model.context_tokens ?? "",
  max_output_tokens: model.max_output_tokens ?? "",
  input_price: model.input_price ?? "",
  cached_input_price: model.cached_input_price ?? "",
  output_price: model.output_price ?? "",
  capabilities: model.capabilities ?? UNKNOWN,
  is_default: model.is_default ?? false,
});

const bodyOf = (values: Values): ModelBody => ({
  ...values,
  provider_id: Number(values.provider_id),
  alias: values.alias.trim(),
  name: values.name.trim(),
  ...(Object.fromEntries(
    NUMBERS.map((name) => [name, values[name] === "" ? null : Number(values[name])]),
  ) as Record<NumberName, number | null>),
});

function NewModel({ providers, providerId, onClose }: Omit<Props, "opened">) {
  const form = useForm<Values>({ initialValues: valuesOf({ provider_id: providerId }) });
  const create = useCreateModel({
    done: ({ alias }) => `“${alias}” added. Test it to find out what it can do.`,
    onSuccess: onClose,
  });
  return (
    <Form
      form={form}
      mutation={{ ...create, mutate: (values, options) => create.mutate(bodyOf(values), options) }}
      action="Add model"
    >
      <ModelFields form={form} providers={providers} isNew />
    </Form>
  );
}

interface ChangedProps extends Omit<Props, "opened"> {
  model: Tagged<Model>;
}

function ChangedModel({ model, providers, onClose }: ChangedProps) {
  const form = useForm<Values>({ initialValues: valuesOf(model) });
  const change = useChangeModel(model.id, { done: ({ alias }) => `“${alias}” saved.`, onSuccess: onClose });
  return (
    <Form
      form={form}
      mutation={{
        ...change,
        mutate: (values, options) => change.mutate({ ...bodyOf(values), etag: model.etag }, options),
      }}
      action="Save"
    >
      <ModelFields form={form} providers={providers} />
    </Form>
  );
}

interface FieldsProps {
  form: ReturnType<typeof useForm<Values>>;
  providers: Schemas["ModelProvider"][];
  isNew?: boolean;
}

function ModelFields({ form, providers, isNew = false }: FieldsProps) {
  const number = (name: NumberName, label: string, decimals = 0) => (
    <NumberInput
      label={label}
      min={0}
      allowNegative={false}
      allowDecimal={decimals > 0}
      decimalScale={decimals}
      clampBehavior="none"
      {...form.getInputProps(name)}
    />
  );
  return (
    <>
      <Select
        label="Provider"
        required
        allowDeselect={false}
        data={providers.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps("provider_id")}
      />
      <TextInput
        label="Alias"
        required
        readOnly={!isNew}
        description="Agents and conversations refer to the model by this name, so it can’t be changed."
        placeholder="fast"
        {...form.getInputProps("alias")}
      />
      <TextInput
        label="Model"
        required
        description="The provider’s name for it, or the deployment"
        placeholder="gpt-5-mini"
        {...form.getInputProps("name")}
      />
      <Group grow align="flex-start">
        {number("context_tokens", "Context (tokens)")}
        {number("max_output_tokens", "Maximum output (tokens)")}
      </Group>
      <Stack gap={4}>
        <Group grow align="flex-end">
          {number("input_price", "Input price", 6)}
          {number("cached_input_price", "Cached input", 6)}
          {number("output_price", "Output price", 6)}
        </Group>
        <DimmedXs>Per million tokens, in {costCurrency()}.</DimmedXs>
      </Stack>
      <Group gap="md">
        {CAPABILITIES.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            checked={form.values.capabilities[name] ?? false}
            indeterminate={form.values.capabilities[name] === null}
            onChange={(event) => form.setFieldValue(`capabilities.${name}`, event.currentTarget.checked)}
          />
        ))}
      </Group>
      <Switch
        label="Default model"
        description="Used where no model is named, instead of the installation’s."
        {...form.getInputProps("is_default", { type: "checkbox" })}
      />
    </>
  );
}
