import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { expect, expectDraftSaved, picture, service, start, expectStatus, test } from "./parley";

// Each test has its own organization, so they can run in parallel.
test.describe.configure({ mode: "parallel" });

const ORDERS = [
  "order_id,customer,amount,shipped,ordered_on",
  ...Array.from(
    { length: 120 },
    (_, index) =>
      `${index + 1},${index % 3 === 0 ? "Harbour Ltd" : "Mill & Sons"},${(index * 7.25).toFixed(2)},${index % 2 === 0},2029-03-${String((index % 28) + 1).padStart(2, "0")}`,
  ),
].join("\n");

/** An HTTP server that collects the JSON bodies it receives. */
async function receiver() {
  const received: unknown[] = [];
  const server = createServer(async (request, answer) => {
    received.push(await json(request));
    answer.end("thanks");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    close: () => server.close(),
  };
}

test(
  "a data set is uploaded, previewed and deleted",
  { tag: "@gate" },
  async ({ page, newOrganization, complaints }) => {
    const { at, api } = await newOrganization("Uploads");
    await page.goto(at("data"));
    await expect(page.getByRole("heading", { name: "No data sets yet" })).toBeVisible();
    await picture(page, "data-empty");
    await page.getByRole("button", { name: "Add data set" }).first().click();
    const dialog = page.getByRole("dialog");
    const choose = (name: string, mimeType: string, text: string) =>
      dialog.locator("input[type=file]").setInputFiles({ name, mimeType, buffer: Buffer.from(text) });

    // An invalid file shows an error and leaves no data set.
    await choose("orders.parquet", "application/octet-stream", "Not a Parquet file.");
    await expect(dialog.getByLabel("Name")).toHaveValue("orders");
    await expect(dialog.getByRole("combobox", { name: "Format" })).toHaveValue("Parquet");
    await dialog.getByRole("button", { name: "Upload", exact: true }).click();
    // The first import unpacks the native library, which is slow.
    await expect(dialog.getByRole("alert")).toBeVisible();
    expect((await api.get("data-lakes")).items).toEqual([]);
    await choose("orders.csv", "text/csv", ORDERS.replace("2,Mill & Sons,", "2,Mill, Sons & Sons,"));
    await dialog.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(dialog.getByText("Line 3 has 6 values, but the header has 5 columns.")).toBeVisible();

    await choose("orders.csv", "text/csv", ORDERS);
    await expect(dialog.getByRole("alert")).toHaveCount(0);
    await dialog.getByLabel("Name").fill("Orders 2029");
    await picture(page, "data-upload");
    await dialog.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Orders 2029" })).toBeVisible();
    await expect(page.getByText("1–50 of 120 rows")).toBeVisible();
    await expect(page.getByRole("columnheader", { name: /amount/ })).toContainText("number");
    await expect(page.getByRole("cell", { name: "Mill & Sons" }).first()).toBeVisible();
    await picture(page, "data", ["light", "dark", "phone"]);

    const amount = page.getByRole("columnheader", { name: /amount/ });
    const cells = page.getByRole("row").nth(1).getByRole("cell");
    await amount.getByTitle("Sort by amount").click();
    await expect(amount).toHaveAttribute("aria-sort", "ascending");
    await amount.getByTitle("Sort by amount").click();
    await expect(amount).toHaveAttribute("aria-sort", "descending");
    await expect(cells.first()).toHaveText("120");
    await page.getByRole("button", { name: "Page 3" }).click();
    await expect(page.getByText("101–120 of 120 rows")).toBeVisible();
    await expect(cells.first()).toHaveText("20");
    await page.getByLabel("Search rows").fill("harbour");
    await expect(page.getByText("1–40 of 40 rows")).toBeVisible();
    await expect(cells.nth(1)).toHaveText("Harbour Ltd");
    await page.reload();
    await expect(page.getByText("1–40 of 40 rows")).toBeVisible();
    await page.getByLabel("Search rows").fill("nowhere");
    await expect(page.getByText("No row contains “nowhere”.")).toBeVisible();

    // Filters of columns: the server applies them, the address keeps them.
    await page.getByLabel("Search rows").fill("");
    await page.getByRole("button", { name: "Filter amount" }).click();
    await page.getByRole("combobox", { name: "Comparison of amount" }).click();
    await page.getByRole("option", { name: "≥", exact: true }).click();
    await page.getByLabel("Value of amount").fill("800");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("1–9 of 9 rows")).toBeVisible();
    await page.getByRole("button", { name: "Filter shipped" }).click();
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("1–4 of 4 rows")).toBeVisible();
    // The decimals of a column align.
    await expect(page.locator("tbody td.number").filter({ hasText: /\.\d$/ })).not.toHaveCount(0);
    await picture(page, "data-filtered", ["light", "dark", "phone"]);
    await page.reload();
    await page.getByRole("button", { name: "Remove filter: shipped is Yes" }).click();
    await expect(page.getByText("1–9 of 9 rows")).toBeVisible();
    await page.getByRole("button", { name: "Remove filter: amount ≥ 800" }).click();
    await expect(page.getByText("1–50 of 120 rows")).toBeVisible();
    // A click shows the whole value.
    await page.getByRole("button", { name: "Harbour Ltd" }).first().click();
    const value = page.getByRole("dialog", { name: "customer" });
    await expect(value.getByLabel("Value")).toHaveText("Harbour Ltd");
    await picture(page, "data-value");
    await page.keyboard.press("Escape");

    await page.getByRole("tab", { name: "Columns" }).click();
    await expect(page.getByRole("row", { name: /customer text 0 2 Harbour Ltd Mill & Sons/ })).toBeVisible();
    await expect(page.getByRole("row", { name: "shipped yes/no 0 2 No Yes" })).toBeVisible();
    await picture(page, "data-columns", ["light", "phone"]);

    await page.goto(at("data"));
    await expect(page.getByRole("row", { name: /Orders 2029.*120.*5/ })).toBeVisible();
    await picture(page, "data-list", ["light", "phone"]);
    await page.getByLabel("Search").fill("ordered_on");
    await expect(page).toHaveURL(at("data?search=ordered_on"));
    await expect(page.getByRole("link", { name: "Orders 2029" })).toBeVisible();
    await page.getByLabel("Search").fill("nothing like it");
    await page.getByRole("button", { name: "Show all data sets" }).click();
    await page.getByRole("link", { name: "Orders 2029" }).click();
    await expect(page.getByRole("heading", { name: "Orders 2029" })).toBeVisible();

    // Rows that cannot be read, with what helps.
    const rows = /\/rows\?/;
    const body = { status: 503, error: "Unavailable", detail: "The data lake could not be read." };
    await page.route(rows, (route) => route.fulfill({ status: 503, json: body }));
    await page.reload();
    const unreadable = page.getByRole("alert").filter({ hasText: "can’t be read" });
    await expect(unreadable).toContainText("Its stored file is missing");
    await expect(page.getByText("data lake")).toHaveCount(0);
    await picture(page, "data-unreadable", ["light", "dark", "phone"]);
    await unreadable.getByRole("button", { name: "Replace file" }).click();
    await expect(page.getByRole("dialog", { name: "Replace file" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.unroute(rows);
    // The browser reports the failed requests.
    complaints.length = 0;

    // After the deletion, nothing asks for the data set.
    const missing: string[] = [];
    page.on("response", (answer) => {
      if (answer.status() === 404) {
        missing.push(answer.url());
      }
    });
    await unreadable.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("dialog")).toContainText("No agent uses it.");
    await page.getByRole("button", { name: "Delete data set" }).click();
    await expect(page.getByText("“Orders 2029” deleted.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "No data sets yet" })).toBeVisible();
    expect(missing).toEqual([]);
  },
);

test("an agent reads the rows that match its row filter", async ({ page, newOrganization }) => {
  const { at, api } = await newOrganization("Senders");
  const target = await receiver();
  const lake = (await api.post("data-lakes", {
    name: "Orders 2029",
    format: "csv",
    size: Buffer.byteLength(ORDERS),
  })) as { data_lake: { id: string }; upload: { upload_url: string; headers: Record<string, string> } };
  const { upload_url, headers } = lake.upload;
  expect((await page.request.put(upload_url, { headers, data: ORDERS })).ok()).toBe(true);
  await api.post(`data-lakes/${lake.data_lake.id}/import`);
  const agent = await api.post("workflows?allow_invalid=true", {
    name: "Order sending",
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        id: "send",
        kind: "App",
        name: "Send",
        instructions: "Send the orders.",
        provider: "builtin",
        tool_name: "http.request",
        tool_id: 1,
        input_parameters: [
          {
            name: "body",
            type: "ARRAY",
            items: { type: "STRING" },
            description: "The orders to send",
            required: true,
            source: "task_config",
          },
          {
            name: "url",
            type: "STRING",
            description: "Where they go",
            required: true,
            source: "task_config",
            value: target.url,
          },
        ],
        expected_output: [{ name: "status", type: "INTEGER", description: "What was answered" }],
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
  await pick("Source of Body", "Rows of a data set");
  await pick("Data set", "Orders 2029");
  await side.getByRole("button", { name: "Add condition" }).click();
  await pick("Column of condition 1", "amount");
  await pick("Comparison of condition 1", "≥");
  await side.getByLabel("Value of condition 1").fill("100.5");
  await side.getByRole("button", { name: "Add condition" }).click();
  await pick("Column of condition 2", "customer");
  await side.getByLabel("Value of condition 2").fill("Harbour Ltd");
  // A nested group, by keyboard only.
  const focused = () => page.locator("*:focus");
  await side.getByRole("button", { name: "Add group", exact: true }).focus();
  await page.keyboard.press("Enter");
  const group = side.getByRole("group", { name: "Group 3", exact: true });
  await expect(group).toBeVisible();
  await expect(focused()).toHaveAccessibleName("Column of condition 3.1");
  await page.keyboard.type("ship");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(side.getByLabel("Column of condition 3.1")).toHaveValue("shipped");
  await side.getByLabel("Value of condition 3.1").focus();
  await page.keyboard.type("true");
  await page.keyboard.press("Tab");
  await expect(focused()).toHaveAccessibleName("Add condition to group 3");
  await page.keyboard.press("Enter");
  await expect(focused()).toHaveAccessibleName("Column of condition 3.2");
  await side.getByLabel("Value of condition 3.2").fill("1");
  await pick("Match for group 3", "no condition matches");
  await group.getByRole("button", { name: "Add group to group 3" }).press("Enter");
  await expect(side.getByRole("group", { name: "Group 3.3" })).toBeVisible();
  await side.getByRole("button", { name: "Remove group 3.3" }).press("Enter");
  await expect(focused()).toHaveAccessibleName("Add condition to group 3");
  await side.getByLabel("Row limit").fill("20");
  await expect(page.getByText("Ready to publish.")).toBeVisible();
  await picture(page, "agent-data-source");
  await expectDraftSaved(page);
  const saved = (await api.get(`workflows/${String(agent.id)}`)) as {
    document: { tasks: { input_parameters: unknown[] }[] };
  };
  expect(saved.document.tasks[0]!.input_parameters[0]).toMatchObject({
    data_source: "DATA_LAKE",
    items: { type: "OBJECT" },
    filter: {
      all: [
        { column: "amount", op: ">=", value: 100.5 },
        { column: "customer", op: "=", value: "Harbour Ltd" },
        {
          not: {
            any: [
              { column: "shipped", op: "=", value: true },
              { column: "order_id", op: "=", value: 1 },
            ],
          },
        },
      ],
    },
    limit: 20,
  });
  const run = await start(api, "Order sending", { human_msg: "Go" });
  await expectStatus(api, run, "COMPLETED");
  target.close();
  const [rows] = target.received as Record<string, unknown>[][];
  expect(rows).toHaveLength(18);
  expect(rows![0]).toMatchObject({ customer: "Harbour Ltd", amount: 108.75, shipped: false });
  const allowed = rows!.every(
    (row) => row.customer === "Harbour Ltd" && Number(row.amount) >= 100.5 && row.shipped === false,
  );
  expect(allowed, JSON.stringify(rows)).toBe(true);

  // A file that lacks a column of the published agent is refused until the user chooses "Replace anyway". The ID stays.
  await api.post(`workflows/${String(agent.id)}/publish`);
  await page.goto(at(`data/${lake.data_lake.id}`));
  await page.getByRole("button", { name: "Replace file" }).click();
  const dialog = page.getByRole("dialog", { name: "Replace file" });
  const choose = (text: string) =>
    dialog
      .locator("input[type=file]")
      .setInputFiles({ name: "new.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
  await choose("order_id,customer,total\n1,Harbour Ltd,5\n");
  await dialog.getByRole("button", { name: "Replace rows" }).click();
  await expect(
    dialog.getByText(/'Order sending' needs the missing columns 'amount', 'shipped'/),
  ).toBeVisible();
  await picture(page, "data-replace", ["light", "dark"]);
  await expect(dialog.getByRole("button", { name: "Replace anyway" })).toBeVisible();
  await choose(`${ORDERS}\n121,New Ltd,9.00,true,2029-04-01`);
  await dialog.getByRole("button", { name: "Replace rows" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("1–50 of 121 rows")).toBeVisible();
});

test("an upload shows its progress and leaves no data set when cancelled", async ({
  page,
  newOrganization,
}) => {
  const { at, api } = await newOrganization("Stops");
  await page.goto(at("data"));
  await page.getByRole("button", { name: "Add data set" }).first().click();
  const dialog = page.getByRole("dialog");
  const buffer = Buffer.from(`a,b\n${"1,a line of a long file\n".repeat(40_000)}`);
  await dialog.locator("input[type=file]").setInputFiles({ name: "long.csv", mimeType: "text/csv", buffer });
  const network = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 };
  await network.send("Network.emulateNetworkConditions", slow);
  const upload = dialog.getByRole("button", { name: "Upload", exact: true });
  await upload.click();
  await expect(dialog.getByRole("status")).toHaveText(/Uploading… [1-9]\d?%/);
  await dialog.getByRole("button", { name: "Cancel upload" }).click();
  await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await expect(upload).toBeEnabled();
  await expect(dialog.getByRole("alert")).toHaveCount(0);
  const expectNoDataSets = () => expect.poll(async () => (await api.get("data-lakes")).items).toEqual([]);
  await expectNoDataSets();

  // Cancel before the upload starts.
  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  await page.route(/\/data-lakes$/, async (route) => {
    if (route.request().method() === "POST") {
      await held;
    }
    await route.continue();
  });
  await upload.click();
  await dialog.getByRole("button", { name: "Cancel upload" }).click();
  go();
  await expect(upload).toBeEnabled();
  await expectNoDataSets();
  await page.unroute(/\/data-lakes$/);

  // Cancel with Back, which closes the dialog.
  await network.send("Network.emulateNetworkConditions", slow);
  await upload.click();
  await expect(dialog.getByRole("status")).toHaveText(/Uploading… [1-9]\d?%/);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await expectNoDataSets();
  await expect(page).toHaveURL(at("data"));
});

test("S3 objects become a data set that can be refreshed", async ({ page, newOrganization }) => {
  const { at, api } = await newOrganization("Objects");
  const put = (key: string, body: string) =>
    fetch(`${service.bucket}/acme/${key}`, { method: "PUT", body }).then((answer) => answer.ok);
  await put("orders/2029-01.csv", "order_id,amount\n1,10\n2,20.5\n");
  await put("orders/2029-02.csv", "order_id,total\n3,7\n");
  await page.goto(at("data"));
  await page.getByRole("button", { name: "Add data set" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("From S3").click();
  const location = dialog.getByLabel("Location");
  await expect(location).toHaveValue("s3://data/acme/");
  await location.fill("s3://data/acme-secret/");
  await dialog.getByLabel("Name").fill("Orders in S3");
  await dialog.getByRole("combobox", { name: "Format" }).click();
  await page.getByRole("option", { name: "CSV" }).click();
  const submit = dialog.getByRole("button", { name: "Import", exact: true });
  await submit.click();
  await expect(dialog.getByText("Is not within a prefix")).toBeVisible();
  await location.fill("s3://data/acme/orders/");
  await submit.click();
  await expect(dialog.getByText("it lacks 'amount' and has 'total' besides")).toBeVisible();
  await picture(page, "data-from-s3");

  await put("orders/2029-02.csv", "order_id,amount\n3,7\n");
  await submit.click();
  await expect(page.getByRole("heading", { name: "Orders in S3" })).toBeVisible();
  await expect(page.getByText("Source: s3://data/acme/orders/ (2 objects)")).toBeVisible();
  await expect(page.getByText("3 rows, 2 columns")).toBeVisible();
  await put("orders/2029-03.csv", "order_id,amount\n4,8\n");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByText("“Orders in S3” refreshed: 4 rows.")).toBeVisible();
  await expect(page.getByText("(3 objects)")).toBeVisible();
  await expect(page.getByRole("cell", { name: "20.5" })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await picture(page, "data-s3", ["light", "phone"]);

  // A failed refresh keeps the existing rows.
  await put("orders/2029-04.csv", "other\n1\n");
  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("alert")).toContainText("2029-04.csv");
  await expect(page.getByText("4 rows, 2 columns")).toBeVisible();
  const { items } = (await api.get("data-lakes")) as { items: { name: string }[] };
  expect(items.map((each) => each.name)).toEqual(["Orders in S3"]);
});
