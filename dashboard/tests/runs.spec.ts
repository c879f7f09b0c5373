import { readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  at,
  expect,
  expectStatus,
  picture,
  service,
  start,
  test,
  testRun,
  trigger,
  type Run,
} from "./parley";

test(
  "a run is shown as a graph, compared with another, and cancelled",
  { tag: "@gate" },
  async ({ page, api }) => {
    const tested = async (body: Record<string, unknown>) =>
      (await start(api, "Travel request", body)).workflow_instance_id;
    const first = await tested({
      human_msg: "To Graz",
      inputs: { destination: "Graz", days: 2, budget: 300 },
    });
    const second = await tested({
      human_msg: "To Linz",
      inputs: { destination: "Linz", days: 1, budget: 100 },
    });

    await page.goto(at("runs"));
    await expect(page.getByRole("link", { name: "Travel request" }).nth(1)).toBeVisible();
    await page.getByRole("searchbox", { name: "Search" }).fill("to linz");
    await expect(page.getByRole("link", { name: "Travel request" })).toHaveCount(1);
    await expect(page.getByText("To Linz · destination: Linz")).toBeVisible();
    await expect(page.getByText("1 run", { exact: true })).toBeVisible();
    await page.getByRole("searchbox", { name: "Search" }).fill("");
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Paused" }).click();
    await expect(page.getByRole("link", { name: "Travel request" }).nth(1)).toBeVisible();
    await picture(page, "runs", ["light", "phone"]);
    await page.keyboard.press("Escape");
    await page.getByLabel(`Select ${first}`).check();
    await page.getByLabel(`Select ${second}`).check();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await expect(page).toHaveURL(/runs\/compare\?/);
    const plan = page.getByRole("region", { name: "Plan the journey" });
    await expect(plan.getByText(/^Inputs.* differ$/)).toBeVisible();
    await expect(plan.getByLabel("destination of the older run").locator("mark")).toHaveText("Graz");
    await expect(plan.getByLabel("destination of the newer run").locator("mark")).toHaveText("Linz");
    await expect(page.getByLabel("message of the newer run").locator("mark")).toHaveText("Linz");
    await expect(page.getByRole("row", { name: /^Input tokens/ })).toContainText(/[+−]|same/);
    await expect(page.getByRole("row", { name: /^Started by/ })).toContainText("same");
    await picture(page, "runs-compared", ["light", "dark", "phone"]);
    const laptop = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(plan.getByText("Older run").first()).toBeVisible();
    const tooWide = () =>
      page.locator("main *").evaluateAll((all) => all.filter((each) => each.scrollWidth > 390).length);
    await expect.poll(tooWide).toBe(0);
    await page.setViewportSize(laptop);
    await page.getByText("Differences", { exact: true }).click();
    await expect(page).toHaveURL(/show=changes/);
    await expect(page.getByText("same in both")).toHaveCount(0);
    await expect(page.getByRole("row", { name: /^Started by/ })).toHaveCount(0);
    await expect(plan.getByRole("link", { name: "Open in the older run" })).toHaveAttribute(
      "href",
      new RegExp(`runs/${first}\\?task=plan$`),
    );
    // Both ways back keep the selection and the filter.
    const isSelected = async () => {
      await expect(page).toHaveURL(/runs\?status=PAUSED/);
      await expect(page.getByLabel(`Select ${first}`)).toBeChecked();
      await expect(page.getByText("2 selected")).toBeVisible();
    };
    await page.goBack();
    await isSelected();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("link", { name: "← Runs" }).click();
    await isSelected();
    await page.goto(at(`runs/compare?left=${first}&right=${"0".repeat(32)}`));
    await expect(page.getByRole("heading", { name: "This run doesn’t exist" })).toBeVisible();
    await expect(page.getByText("workflow instance")).toHaveCount(0);

    await page.goto(at(`runs/${first}`));
    await expect(page.locator(".react-flow__node")).toHaveCount(2);
    await expect(page.getByText("Waiting for a person")).toBeVisible();
    await page.locator(".react-flow__node").first().click();
    await expect(page.getByRole("complementary").getByText("Plan the journey")).toBeInViewport();
    await expect(page.locator(".react-flow__node").first()).toBeInViewport();
    await expect(page.getByRole("complementary").getByText("destination", { exact: true })).toBeVisible();
    await expect(page.getByText("Re-read on every attempt and not stored: current_time.")).toBeVisible();
    await expect(page.getByLabel("Message 1 of attempt 1", { exact: true })).toContainText("journey");
    await expect(page.getByLabel("Response of attempt 1", { exact: true })).toContainText('"plan"');
    await picture(page, "run", ["light", "dark", "phone"]);
    await page.getByRole("tab", { name: "Input" }).click();
    await expect(page.getByRole("tabpanel").getByText("To Graz")).toBeVisible();
    expect(new URL(page.url()).search).toBe("?task=plan&tab=input");
    await page.getByRole("tab", { name: "History" }).click();
    await expect(page.getByText("Run: Running → Paused")).toBeVisible();
    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await expect(page.locator("main [data-status=CANCELLED]").first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel run" })).toHaveCount(0);

    await page.getByRole("button", { name: "Run again" }).click();
    const dialog = page.getByRole("dialog", { name: "Run again" });
    const message = dialog.getByRole("textbox", { name: "Message" });
    await expect(message).toHaveValue("To Graz");
    await message.fill("");
    await dialog.getByRole("button", { name: "Run again" }).click();
    await expect(message).toHaveAccessibleDescription("Enter a message.");
    await expect(message).toBeFocused();
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "Discard your entries?" });
    await question.getByRole("button", { name: "Keep editing" }).click();
    await message.fill("To Graz");
    await page.goBack();
    const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
    await leaving.getByRole("button", { name: "Keep editing" }).click();
    await expect(message).toHaveValue("To Graz");
    // The closing dialog returns the focus, which would take what is typed next.
    await expect(message).toBeFocused();
    await dialog.getByRole("textbox", { name: "destination" }).fill("Wien");
    await dialog.getByRole("combobox", { name: "Start from" }).click();
    // A later start would reuse the task that the destination is for.
    await page.getByRole("option").first().click();
    await picture(page, "run-again", ["light"]);
    await dialog.getByRole("button", { name: "Run again" }).click();
    await expect(page.getByRole("link", { name: "an earlier run" })).toBeVisible();
    await expect(page.getByText("Waiting for a person")).toBeVisible();
    await page.getByRole("tab", { name: "Input" }).click();
    await expect(page.getByRole("tabpanel").getByText("Wien")).toBeVisible();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Open in editor" }).click();
    await expect(page.getByRole("textbox", { name: "destination" })).toHaveValue("Wien");
  },
);

test("runs are found by several statuses and a range, kept as a view, and cancelled together", async ({
  page,
  newOrganization,
}) => {
  const { at: inNew, api } = await newOrganization("Many runs");
  const document = {
    name: "Ask",
    description: "",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        id: "ask",
        name: "Ask",
        instructions: "Approve it.",
        kind: "Human",
        input_parameters: [],
        expected_output: [{ name: "approved", type: "BOOLEAN", description: "Whether it is right" }],
      },
    ],
    connections: [],
    dependencies: [],
  };
  const agent = String((await api.post("workflows", document)).id);
  const runs = await Promise.all(
    [1, 2, 3].map((each) => testRun(api, agent, { human_msg: `Request ${each}` })),
  );
  const [first, second, third] = runs.map((run) => String(run.workflow_instance_id));
  await api.post(`instances/${third}/cancel`);

  await page.goto(inNew("runs"));
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Paused" }).click();
  await expect(page.getByText("2 runs", { exact: true })).toBeVisible();
  await page.getByRole("option", { name: "Cancelled" }).click();
  await expect(page.getByText("3 runs", { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/status=PAUSED%2CCANCELLED/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByRole("textbox", { name: "Name of the view" }).fill("Stopped");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Stopped" })).toBeVisible();
  await page.goto(inNew("runs"));
  await page.getByRole("button", { name: "Views" }).click();
  await page.getByRole("menuitem", { name: "Stopped" }).click();
  await expect(page).toHaveURL(/status=PAUSED%2CCANCELLED/);
  // A deleted view can be restored.
  await expect(page.getByRole("menu")).toHaveCount(0);
  await page.getByRole("button", { name: "Stopped" }).click();
  await page.getByRole("button", { name: "Delete view Stopped" }).click();
  await expect(page.getByRole("button", { name: "Save view" })).toBeVisible();
  await page.getByRole("alert").getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: "Stopped" })).toBeVisible();

  await page.getByRole("combobox", { name: "Started" }).click();
  await page.getByRole("option", { name: "Custom range" }).click();
  await page.getByLabel("To", { exact: true }).fill("2020-01-01T00:00");
  await expect(page.getByText("No runs match these filters")).toBeVisible();
  await page.getByLabel("To", { exact: true }).fill("");
  await page.getByLabel("From", { exact: true }).fill("2020-01-01T00:00");
  await expect(page.getByText("3 runs", { exact: true })).toBeVisible();

  await page.getByLabel(`Select ${first}`).check();
  await page.getByLabel(`Select ${second}`).check();
  await page.getByLabel(`Select ${third}`).check();
  await picture(page, "runs-selected", ["light", "dark", "phone"]);
  await page.getByRole("button", { name: "Cancel 2 runs" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("1 run of the selection has already finished.");
  await dialog.getByRole("button", { name: "Cancel 2 runs" }).click();
  await expect(page.getByText("2 runs cancelled.")).toBeVisible();
  await expect(page.locator("tbody [data-status=CANCELLED]")).toHaveCount(3);
  await expect(page.getByRole("toolbar", { name: "Selected runs" })).toHaveCount(0);

  await page.getByRole("checkbox", { name: /^Select the newest 3/ }).check();
  await page.getByRole("button", { name: "Run 3 again" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run 3 again" }).click();
  await expect(page.getByText("3 runs started.")).toBeVisible();

  await page.goto(inNew(`runs/${first}?tab=json`));
  const file = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download JSON" }).click();
  const saved = JSON.parse(readFileSync(await (await file).path(), "utf8")) as Record<string, unknown>;
  expect(saved).toMatchObject({
    run: { workflow_instance_id: first, status: "CANCELLED" },
    input: { human_msg: "Request 1" },
    definition: { name: "Ask" },
  });
});

/** A server that holds requests until the test responds. */
async function slowServer(port = 0) {
  const waiting: ServerResponse[] = [];
  const server: Server = createServer((_, answer) => waiting.push(answer));
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    waiting,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a running run is paused, resumed and terminated", async ({ page, api }) => {
  const server = await slowServer();
  try {
    const inputs = { url: `http://127.0.0.1:${server.port}/` };
    const run = await trigger(api, "Web lookup", { human_msg: "Look", inputs });
    const open = (each: Run) => page.goto(at(`runs/${each.workflow_instance_id}`));
    await open(run);
    await expect.poll(() => server.waiting.length).toBe(1);
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
    server.waiting[0]!.end("A page about trains");
    await expect(page.locator("main [data-status=COMPLETED]").first()).toBeVisible();
    await page.getByRole("button", { name: "Resume" }).click();
    await expectStatus(api, run, "COMPLETED");
    await expect(page.getByRole("button", { name: "Resume" })).toHaveCount(0);
    await page.getByRole("tab", { name: "Output" }).click();
    await expect(page.getByRole("tabpanel").getByText("summary")).toBeVisible();

    const doomed = await trigger(api, "Web lookup", { human_msg: "Look", inputs });
    await open(doomed);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Terminate run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Terminate run" }).click();
    await expect(page.locator("main [data-status=TERMINATED]").first()).toBeVisible();
  } finally {
    server.close();
  }
});

test("a run with a failed task is retried once the cause is fixed", async ({ page, api }) => {
  const first = await slowServer();
  first.close();
  const inputs = { url: `http://127.0.0.1:${first.port}/` };
  const run = await start(api, "Web lookup", { human_msg: "Look", inputs });
  expect(run.status).toBe("PAUSED");
  await page.goto(at(`runs/${run.workflow_instance_id}`));
  await expect(page.getByText("Waiting for a person")).toBeVisible();
  const attempt = (number: number) => page.getByRole("button", { name: new RegExp(`^Attempt ${number} `) });
  await expect(attempt(1)).toContainText("Failed");
  await expect(attempt(4)).toContainText("Failed");
  await expect(page.getByLabel("Arguments of call 1 of attempt 4")).toContainText(inputs.url);
  await page.getByLabel("Result of call 1 of attempt 4").scrollIntoViewIfNeeded();
  await picture(page, "run-attempts");
  const server = await slowServer(first.port);
  try {
    await page.getByRole("button", { name: "Retry" }).click();
    await expect.poll(() => server.waiting.length).toBe(1);
    server.waiting[0]!.end("A page about trains");
    await expectStatus(api, run, "COMPLETED");
    await expect(page.locator("main [data-status=COMPLETED]").first()).toBeVisible();
    await expect(attempt(5)).toContainText("Completed");
    await attempt(5).click();
    await expect(page.getByLabel("Result of call 1 of attempt 5")).toContainText("A page about trains");
  } finally {
    server.close();
  }
});
