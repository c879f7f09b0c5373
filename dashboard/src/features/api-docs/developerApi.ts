import document from "../../api/developerApi.json";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  examples?: unknown[];
  default?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description?: string;
  schema: Schema;
}

/** A JSON body. */
interface Body {
  schema?: Schema;
  example?: unknown;
}

export interface Operation {
  method: "GET" | "POST";
  path: string;
  summary: string;
  description?: string;
  /** False for URLs that are secrets themselves. */
  needsKey: boolean;
  parameters: Parameter[];
  body?: Body;
  responses: ({ status: string; description: string } & Body)[];
}

const { operations, schemas } = document as unknown as {
  operations: Operation[];
  schemas: Record<string, Schema>;
};

export const OPERATIONS = operations;

/** A schema without reference; a description beside the reference wins. */
export function resolveSchema({ $ref, ...own }: Schema): Schema {
  return $ref ? { ...schemas[$ref.slice($ref.lastIndexOf("/") + 1)], ...own } : own;
}

/** The schema of a value that is not null. */
export function nonNull(schema: Schema): Schema {
  const { anyOf, ...own } = resolveSchema(schema);
  const first = anyOf?.find(({ type }) => type !== "null");
  return first ? { ...nonNull(first), ...own } : own;
}

export function isNullable(schema: Schema): boolean {
  const { type, anyOf } = resolveSchema(schema);
  return (Array.isArray(type) && type.includes("null")) || (anyOf?.some(isNull) ?? false);
}

const isNull = ({ type }: Schema) => type === "null";

/** The type as people read it, such as "array of strings". */
export function typeName(schema: Schema): string {
  const { type, items, format } = nonNull(schema);
  const name = [type ?? "any value"].flat().find((each) => each !== "null")!;
  if (name === "array" && items) {
    const item = typeName(items);
    return item === "any value" ? "array" : `array of ${item}s`;
  }
  return format === "date-time" ? "time" : name;
}

interface OperationGroup {
  title: string;
  about: string;
  /** Method and path below `/developer`. */
  operations: string[];
}

/** In the order in which an integration needs them. */
const GROUPS: OperationGroup[] = [
  {
    title: "Conversations",
    about: "A conversation holds the messages between a person and the model or an agent.",
    operations: [
      "POST /api/conversations",
      "POST /api/messages",
      "GET /api/conversations/{conversation_id}/messages",
      "GET /api/conversations/{conversation_id}/events",
      "GET /api/conversations/{conversation_id}",
      "GET /api/conversations",
    ],
  },
  {
    title: "Agents and runs",
    about:
      "The API calls an agent a workflow and a run a workflow instance. Start one without a conversation, wait for its output, and steer it.",
    operations: [
      "POST /api/workflows/{workflow_id}/trigger/sync",
      "GET /api/workflow_instances/{workflow_instance_id}/status",
      "GET /api/workflow_instances/{workflow_instance_id}/events",
      "GET /api/workflow_instances",
      "GET /api/workflow_instances/{workflow_instance_id}/logs",
      "GET /api/workflow_instances/{workflow_instance_id}/attempts",
      "POST /api/workflow_instances/{workflow_instance_id}/rerun",
      "POST /api/workflow_instances/{workflow_instance_id}/retry",
      "POST /api/workflow_instances/{workflow_instance_id}/pause",
      "POST /api/workflow_instances/{workflow_instance_id}/resume",
      "POST /api/workflow_instances/{workflow_instance_id}/cancel",
      "POST /api/workflow_instances/{workflow_instance_id}/terminate",
      "POST /resume/{token}",
    ],
  },
  {
    title: "Files",
    about: "Ask for an upload URL, upload the file to it, and name the file in a message or a trigger.",
    operations: ["POST /api/media/presigned-url", "GET /api/media/files/{path}"],
  },
];

export const keyOf = ({ method, path }: Operation) => `${method} ${path.replace("/developer", "")}`;

/** The operation of a text such as `POST /messages`, with a path below `/developer/api`. */
export const operationAt = (text: string): Operation | undefined =>
  OPERATIONS.find((each) => keyOf(each) === text.replace(" ", " /api"));

/** The address of an operation within the page. */
export const anchorOf = ({ summary }: Operation) =>
  summary
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, "-")
    .replace(/-$/, "");

export const OPERATION_GROUPS = GROUPS.map((group) => ({
  ...group,
  anchor: group.title.toLowerCase().replaceAll(" ", "-"),
  operations: group.operations.flatMap((key) => OPERATIONS.filter((each) => keyOf(each) === key)),
}));
