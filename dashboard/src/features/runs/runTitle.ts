import type { Schemas } from "../../api";
import { fileName } from "../../components/fileUris";
import { withoutMarks } from "../../components/markdownPreview";
import { valuesOf } from "./queries";

const MAX_CHARACTERS = 60;

const textOf = (value: unknown) =>
  typeof value === "string"
    ? withoutMarks(value.startsWith("s3://") ? fileName(value) : value)
    : JSON.stringify(value);

/** The title of a run: its agent, and the beginning of its input or else the end of its ID. */
export function runTitle(agent: string, id: string, started: Schemas["WorkflowInstanceInputs"] | undefined) {
  if (!started) {
    return `Run of ${agent}`;
  }
  const first = Object.values(valuesOf(started)).map(textOf).find(Boolean);
  if (first === undefined) {
    return `Run of ${agent} …${id.slice(-8)}`;
  }
  const characters = [...first];
  const isCut = characters.length > MAX_CHARACTERS;
  return `Run of ${agent}: ${isCut ? `${characters.slice(0, MAX_CHARACTERS).join("").trimEnd()}…` : first}`;
}
