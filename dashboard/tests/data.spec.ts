import { at, expect, picture, start, expectStatus, test } from "./parley";

const ORDERS = [
  "order_id,customer,amount,shipped,ordered_on",
  ...Array.from(
    { length: 120 },
    (_, index) =>
      `${index + 1},${index % 3 === 0 ? "Harbour Ltd" : "Mill & Sons"},${(index * 7.25).toFixed(2)},${index % 2 === 0},2029-03-${String((index % 28) + 1).padStart(2, "0")}`,
  ),
].join("\n");

const COUNTS = `export default function ({ orders }) {
  return { count: orders.length, first: orders[0].customer };
}
`;

test("a table is uploaded, looked at, read by an agent, and deleted", async ({ page, api }) => {
  await page.goto(at("data"));
  await expect(page.getByRole("heading", { name: "No data yet" })).toBeVisible();
  await picture(page, "data-empty");
  await page.getByRole("button", { name: "Upload data" }).first().click();
  const dialog = page.getByRole("dialog");
  const choose = (name: string, mimeType: string, text: string) =>
    dialog.locator("input[type=file]").setInputFiles({ name, mimeType, buffer: Buffer.from(text) });

  // What is no table says so, and leaves nothing behind.
  await choose("orders.parquet", "application/octet-stream", "This is no Parquet file.");
  await expect(dialog.getByLabel("Name")).toHaveValue("orders");
  await expect(dialog.getByRole("combobox", { name: "Format" })).toHaveValue("Parquet");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  // The first file of all unpacks the library that reads them.
  await expect(dialog.getByRole("alert")).toBeVisible({ timeout: 40_000 });
  expect((await api.get("data-lakes")).items).toEqual([]);

  await choose("orders.csv", "text/csv", ORDERS);
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await dialog.getByLabel("Name").fill("Orders 2029");
  await picture(page, "data-upload");
  await dialog.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Orders 2029" })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("heading", { name: "The first 50 rows" })).toBeVisible();
  await expect(page.getByRole("columnheader", { name: /amount/ })).toContainText("DOUBLE");
  await expect(page.getByRole("cell", { name: "Mill & Sons" }).first()).toBeVisible();
  await picture(page, "data", ["light", "dark", "phone"]);

  const artifact = await api.post("code-artifacts", {
    name: "Counter",
    language: "javascript",
    source: COUNTS,
  });
  const { items } = (await api.get("members")) as { items: { id: string }[] };
  const agent = await api.post("workflows?allow_invalid=true", {
    name: "Order counting",
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: items.at(-1)!.id }],
    tasks: [
      {
        id: "count",
        kind: "Coder",
        name: "Count",
        instructions: "Count the orders.",
        code_artifact_id: artifact.id,
        input_parameters: [
          {
            name: "orders",
            type: "ARRAY",
            items: { type: "STRING" },
            description: "The orders to count",
            required: true,
            source: "task_config",
          },
        ],
        expected_output: [
          { name: "count", type: "INTEGER", description: "How many" },
          { name: "first", type: "STRING", description: "Whose" },
        ],
      },
    ],
  });
  await page.goto(at(`agents/${String(agent.id)}`));
  await page.locator(".react-flow__node").first().click();
  const side = page.getByRole("complementary", { name: "Properties" });
  const pick = async (label: string, option: string) => {
    await side.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  await pick("Data source", "Rows of a data set");
  await pick("Data set", "Orders 2029");
  await expect(side.getByLabel("Name of property 3")).toHaveValue("amount");
  await side.getByRole("button", { name: "Add condition" }).click();
  await pick("Column of condition 1", "amount");
  await pick("Comparison of condition 1", "≥");
  await side.getByLabel("Value of condition 1").fill("100.5");
  await side.getByRole("button", { name: "Add condition" }).click();
  await pick("Column of condition 2", "customer");
  await side.getByLabel("Value of condition 2").fill("Harbour Ltd");
  await side.getByLabel("Rows at most").fill("20");
  await expect(page.getByText("No faults: this draft can be published.")).toBeVisible();
  await picture(page, "agent-data-source");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByRole("button", { name: "Saved" })).toBeVisible();
  const saved = (await api.get(`workflows/${String(agent.id)}`)) as {
    document: { tasks: { input_parameters: unknown[] }[] };
  };
  expect(saved.document.tasks[0]!.input_parameters[0]).toMatchObject({
    data_source: "DATA_LAKE",
    filter: {
      all: [
        { column: "amount", op: ">=", value: 100.5 },
        { column: "customer", op: "=", value: "Harbour Ltd" },
      ],
    },
    limit: 20,
  });
  const run = await start(api, "Order counting", { human_msg: "Go" });
  await expectStatus(api, run, "COMPLETED");
  const { output } = (await api.get(`instances/${run.workflow_instance_id}`)) as { output: unknown };
  expect(output).toEqual({ count: 20, first: "Harbour Ltd" });

  await page.goto(at("data"));
  await expect(page.getByRole("row", { name: /Orders 2029.*120 rows.*5 columns/ })).toBeVisible();
  await picture(page, "data-list", ["light", "phone"]);
  await page.getByRole("link", { name: "Orders 2029" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete data" }).click();
  await expect(page.getByText("“Orders 2029” is deleted.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "No data yet" })).toBeVisible();
});

test("an upload shows how far it is, and leaves nothing when it is stopped", async ({ page, api }) => {
  await page.goto(at("data"));
  await page.getByRole("button", { name: "Upload data" }).first().click();
  const dialog = page.getByRole("dialog");
  const buffer = Buffer.from(`a,b\n${"1,a line of a long file\n".repeat(40_000)}`);
  await dialog.locator("input[type=file]").setInputFiles({ name: "long.csv", mimeType: "text/csv", buffer });
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
  await network.send("Network.emulateNetworkConditions", slow);
  const upload = dialog.getByRole("button", { name: "Upload", exact: true });
  await upload.click();
  await expect(dialog.getByRole("status")).toHaveText(/Uploading: [1-9]\d? %/);
  await dialog.getByRole("button", { name: "Stop" }).click();
  await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await expect(upload).toBeEnabled();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  await expect.poll(async () => (await api.get("data-lakes")).items).toEqual([]);
});
