import type { Schemas } from "../../api";

type Content = Pick<Schemas["CodeArtifact"], "name" | "inputs" | "outputs"> & { source?: string | null };

/** Code with its name, inputs and outputs as one text, to compare two versions by lines. */
export function codeText({ name, inputs, outputs, source }: Content): string {
  const parameter = (kind: string, each: Content["inputs"][number] | Content["outputs"][number]) => {
    const optional = "required" in each && each.required === false ? ", optional" : "";
    const items = "items" in each && each.items ? ` of ${JSON.stringify(each.items)}` : "";
    return `${kind} ${each.name}: ${each.type}${items}${optional}${each.description ? ` – ${each.description}` : ""}`;
  };
  return [
    `Name: ${name}`,
    ...inputs.map((each) => parameter("Input", each)),
    ...outputs.map((each) => parameter("Output", each)),
    "",
    source ?? "",
  ].join("\n");
}
