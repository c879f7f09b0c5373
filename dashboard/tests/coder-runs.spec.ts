import { readFileSync } from "node:fs";
import type { Locator } from "@playwright/test";
import { at, DOT, expect, expectStatus, picture, service, start, test, type Api } from "./parley";

async function owner(api: Api): Promise<string> {
  const { items } = (await api.get("members")) as { items: { id: string; email: string }[] };
  return items.find((each) => each.email === service.email)!.id;
}

/** Creates an agent with a single Coder task and returns its ID. */
async function coder(api: Api, name: string, source: string, expected_output: object[]): Promise<string> {
  const artifact = await api.post("code-artifacts", { name, language: "javascript", source });
  const created = await api.post("workflows", {
    name,
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: await owner(api) }],
    tasks: [
      {
        id: "run",
        kind: "Coder",
        name: "Run the code",
        instructions: "Run it.",
        code_artifact_id: artifact.id,
        input_parameters: [
          {
            name: "name",
            type: "STRING",
            description: "Whom",
            required: true,
            source: "task_config",
            value: "Ada",
          },
        ],
        expected_output,
      },
    ],
    connections: [],
    dependencies: [],
  });
  return String(created.id);
}

const PRINTS = `export default function ({ name }) {
  console.log("greeting", name);
  return { greeting: "Hello " + name };
}
`;

const DRAWS = `export default function ({ name }) {
  return {
    portrait: "data:image/png;base64,${DOT.toString("base64")}",
    letter: "# Dear " + name,
    seen_at: "https://example.com/ada.html, last year",
  };
}
`;

test("files created by a task can be viewed and downloaded from the run and the conversation", async ({
  page,
  api,
}) => {
  const id = await coder(api, "Drawing", DRAWS, [
    { name: "portrait", type: "FILE", description: "A picture" },
    { name: "letter", type: "PDF", description: "A letter" },
    { name: "seen_at", type: "STRING", description: "Where it was seen" },
  ]);
  await api.post(`workflows/${id}/publish`);
  const conversation = await api.post("conversations", {
    usecase: "WORKFLOW_EXECUTION",
    config: { workflow_id: id },
  });
  await api.post(`conversations/${String(conversation.id)}/messages`, { content: "Draw Ada" });
  await page.goto(at(`conversations/${String(conversation.id)}`));
  const log = page.getByRole("log");
  const seen = (image: Locator) =>
    expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1);
  await expect(log.getByRole("link", { name: /\.pdf$/ }).last()).toBeVisible();
  await seen(log.locator("img").last());
  await expect(log.getByText("s3://")).toHaveCount(0);

  await log
    .getByRole("link", { name: /Run: completed/ })
    .first()
    .click();
  const task = page.getByRole("complementary", { name: "Selected task" });
  await seen(task.locator("img").first());
  await expect(task.getByRole("link", { name: "https://example.com/ada.html" })).toHaveAttribute(
    "rel",
    /noreferrer/,
  );
  await task.getByRole("heading", { name: "Attempt 1" }).scrollIntoViewIfNeeded();
  await picture(page, "run-files");
  const downloading = page.waitForEvent("download");
  await task.getByRole("link", { name: /\.pdf$/ }).click();
  const file = await (await downloading).path();
  expect(readFileSync(file).subarray(0, 5).toString()).toBe("%PDF-");
});

test("the console output of code appears at its task", async ({ page, api }) => {
  await coder(api, "Printing", PRINTS, [{ name: "greeting", type: "STRING", description: "The greeting" }]);
  const run = await start(api, "Printing", { human_msg: "Go" });
  await expectStatus(api, run, "COMPLETED");
  await page.goto(at(`runs/${run.workflow_instance_id}`));
  await expect(page.getByLabel("Console of attempt 1", { exact: true })).toHaveText(/greeting Ada/);
  await expect(page.getByText("Hello Ada").first()).toBeVisible();
});
