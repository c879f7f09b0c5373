import { costCurrency, type Schemas } from "../../api";
import { formatCount } from "../../components/formatNumbers";

type Model = Schemas["Model"];

export const KIND_LABELS = { openai: "OpenAI-compatible", anthropic: "Anthropic" } as const;

export const CAPABILITIES = [
  { name: "tools", label: "Tools" },
  { name: "images", label: "Images" },
  { name: "json_schema", label: "JSON schema" },
  { name: "json_object", label: "JSON object" },
  { name: "streaming", label: "Streaming" },
  { name: "reasoning", label: "Reasoning" },
] as const satisfies { name: keyof Schemas["ModelCapabilities"]; label: string }[];

/** The labels of the model’s known capabilities. */
export const capabilitiesOf = ({ capabilities }: Pick<Model, "capabilities">): string[] =>
  CAPABILITIES.filter(({ name }) => capabilities[name]).map(({ label }) => label);

const money = (price: number) =>
  price.toLocaleString(undefined, {
    style: "currency",
    currency: costCurrency(),
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: 6,
  });

/** The prices of a million tokens such as "$1.25 in, $0.13 cached, $10 out". */
export function pricesOf({ input_price, cached_input_price, output_price }: Model): string {
  if (input_price === 0 && output_price === 0) {
    return "No price";
  }
  const cached = cached_input_price === null ? [] : [`${money(cached_input_price)} cached`];
  return [`${money(input_price)} in`, ...cached, `${money(output_price)} out`].join(", ");
}

export const contextOf = ({ context_tokens }: Model): string =>
  context_tokens === null ? "" : `${formatCount(context_tokens)} tokens`;
