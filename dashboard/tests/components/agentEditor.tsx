import { commands, page, type Locator } from "vitest/browser";
import { at, open } from "./app";

declare module "vitest/browser" {
  interface BrowserCommands {
    mouse: (steps: readonly (readonly [x: number, y: number] | "down" | "up")[]) => Promise<void>;
    media: (media: "screen" | "print") => Promise<void>;
  }
}

const AGENT = "0192f0c1a2b37c4d8e5f60718293a4e1";

/** The page of the agent. */
export const editor = at(`agents/${AGENT}`);

interface Document {
  name: string;
  tasks: object[];
  [member: string]: unknown;
}

interface Violation {
  path: string;
  error: string;
  detail: string;
}

interface Options {
  query?: string;
  /** The violations that validation returns. */
  violations?: (document: Document) => Violation[];
}

interface Saved {
  document: Document;
  canvas: { positions: object; notes: { text: string }[] };
}

export const task = (id: string, more: object = {}) => ({
  id,
  kind: "AI",
  name: `Task ${id}`,
  instructions: "Go on.",
  input_parameters: [],
  expected_output: [{ name: "text", type: "STRING", description: "Text" }],
  ...more,
});

/** An input that a connection supplies. */
export const input = (name: string) => ({
  name,
  type: "STRING",
  description: name,
  required: true,
  source: "system_generated",
});

/** Opens the editor of an agent and returns what it saves. */
export async function openAgent(
  document: Partial<Document>,
  { query = "", violations = () => [] }: Options = {},
): Promise<Saved> {
  const saved: Saved = {
    document: { name: "Agent", assignment_rules: [], tasks: [], ...document },
    canvas: { positions: {}, notes: [] },
  };
  let version = 1;
  const workflow = () =>
    Response.json(
      {
        id: AGENT,
        name: saved.document.name,
        description: "",
        document: saved.document,
        errors: [],
        valid: true,
        published_version: null,
        unpublished_changes: true,
        archived_at: null,
        created_at: "2026-01-01T10:00:00Z",
        created_by: "message:1",
        // A later version with the same time would be that of another person.
        updated_at: new Date(Date.UTC(2026, 0, 1, 10, 0, version)).toISOString(),
        updated_by: "message:1",
      },
      { headers: { ETag: `"${version}"` } },
    );
  await open(editor + query, {
    [`GET workflows/${AGENT}`]: workflow,
    [`PUT workflows/${AGENT}`]: async (request: Request) => {
      saved.document = (await request.json()) as Document;
      version++;
      return workflow();
    },
    [`GET workflows/${AGENT}/positions`]: () => saved.canvas,
    [`PUT workflows/${AGENT}/positions`]: async (request: Request) => {
      saved.canvas = (await request.json()) as Saved["canvas"];
      return saved.canvas;
    },
    "POST workflows/validate": async (request: Request) => {
      const errors = violations((await request.json()) as Document);
      return { valid: errors.length === 0, errors };
    },
  });
  return saved;
}

export const node = (id: string) => page.css(`.react-flow__node[data-id="${id}"]`);
export const nodes = page.css(".react-flow__node-task");
export const edges = page.css(".react-flow__edge");
export const selected = page.css(".react-flow__node-task.selected");
export const handle = (id: string, name: string) =>
  page.css(`.react-flow__node[data-id="${id}"] .react-flow__handle[data-handleid="${name}"]`);
export const side = page.getByRole("complementary", { name: "Properties" });
export const nameField = side.getByRole("textbox", { name: "Name", exact: true });
export const palette = page.getByRole("combobox", { name: "Search kinds, tools and code" });

export const boxOf = (locator: Locator) => locator.element().getBoundingClientRect();

export function focus(locator: Locator) {
  (locator.element() as HTMLElement).focus();
}

export const centerOf = (locator: Locator): [number, number] => {
  const { x, y, width, height } = boxOf(locator);
  return [x + width / 2, y + height / 2];
};

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Resolves when an element has kept its place for ten frames: the canvas pans to a task that is selected. */
export async function atRest(locator: Locator) {
  let box = boxOf(locator);
  for (let kept = 0; kept < 10; kept++) {
    // oxlint-disable-next-line no-await-in-loop -- one frame after the other
    await nextFrame();
    const next = boxOf(locator);
    kept = next.x === box.x && next.y === box.y ? kept : -1;
    box = next;
  }
}

/** Drags by the mouse from the center of an element to that of another, or to the middle of its top. */
export async function drag(from: Locator, to: Locator, end: "center" | "top" = "center") {
  await atRest(to);
  const { x, y, width, height } = boxOf(to);
  await commands.mouse([
    centerOf(from),
    "down",
    [x + width / 2, y + (end === "top" ? 20 : height / 2)],
    "up",
  ]);
}
