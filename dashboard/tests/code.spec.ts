import { at, expect, expectDraftSaved, expectStatus, picture, start, test } from "./parley";

/** Code has a low priority, so a busy machine starts it late. */
const CODE_LIMIT = { timeout: 900_000 };

test(
  "code is created, tested and saved as a new version",
  { tag: "@gate" },
  async ({ page, complaints, newOrganization }) => {
    test.setTimeout(2_400_000);
    const { at: inOrganization } = await newOrganization("Greetings");
    await page.goto(inOrganization("code"));
    await page.getByRole("button", { name: "New code" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Greeting");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("textbox", { name: "Source" })).toContainText("export default");
    // On an idle machine the code may end before it is stopped.
    await expect(async () => {
      await page.getByRole("button", { name: "Run", exact: true }).click({ timeout: 5_000 });
      await expect(page.getByText(/^Running, \d+ s/)).toBeVisible({ timeout: 5_000 });
      await page.getByRole("button", { name: "Stop", exact: true }).click({ timeout: 5_000 });
      await expect(page.getByText(/^Stopped\./)).toBeVisible({ timeout: 5_000 });
    }).toPass(CODE_LIMIT);
    const result = page.getByLabel("result", { exact: true });
    // A dry run is refused if a busy machine does not start the code in time.
    const runUntil = (text: string) =>
      expect(async () => {
        const run = page.getByRole("button", { name: "Run", exact: true });
        if (await run.isVisible()) {
          await run.click();
        }
        await expect(result).toContainText(text, { timeout: 120_000 });
      }).toPass(CODE_LIMIT);
    await runUntil("Ada");
    // The result is below the editor, and the contract stays beside it.
    const top = async (name: string) =>
      (await page.getByRole("heading", { name, exact: true }).boundingBox())!.y;
    const source = (await page.locator(".cm-editor").boundingBox())!;
    expect((await result.boundingBox())!.y).toBeGreaterThan(source.y + source.height);
    expect(await top("Used by")).toBeLessThan(source.y + source.height);
    await picture(page, "code", ["light", "dark"]);
    const save = page.getByRole("button", { name: "Save as new version" });
    await expect(save).toBeDisabled();
    await page.getByRole("button", { name: "Compare" }).click();
    await expect(page.getByRole("dialog")).toContainText(
      "There is only version 1, and you haven’t changed it.",
    );
    await page.keyboard.press("Escape");
    await page.getByRole("textbox", { name: "Source" }).press("Control+End");
    await page.keyboard.type("// better");
    const outdated = page.getByText("The code has changed since this run.");
    await expect(outdated).toBeVisible();
    const values = page.getByRole("textbox", { name: "Test values" });
    await values.fill('{"name": "Bo"}');
    await page.getByRole("textbox", { name: "Source" }).focus();
    const lines = await page.locator(".cm-line").count();
    await page.keyboard.press("Control+Enter");
    await runUntil("Bo");
    complaints.splice(0, complaints.length, ...complaints.filter((each) => !each.includes("status of 503")));
    await expect(page.locator(".cm-line")).toHaveCount(lines);
    await expect(outdated).toHaveCount(0);
    // Saving keeps the cursor, and what is typed meanwhile.
    await page.getByRole("textbox", { name: "Source" }).press("Control+End");
    await page.keyboard.press("Control+s");
    await page.keyboard.type("!");
    await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("Version 2", CODE_LIMIT);
    await expect(page.getByText("Version 2 saved. No agent uses this code yet.")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Source" })).toContainText("// better!");
    await expect(save).toBeEnabled();
    await page.keyboard.press("Backspace");
    await expect(save).toBeDisabled();
    await expect(values).toHaveValue('{"name": "Bo"}');
    await expect(result).toContainText("Bo");
    await expect(outdated).toHaveCount(0);
    await page.reload();
    await expect(values).toHaveValue('{"name": "Bo"}');
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete code" }).click();
    await page.getByRole("button", { name: "Delete code" }).click();
    await expect(page.getByText("“Greeting” deleted.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Greeting" })).toHaveCount(0);
  },
);

test("a name belongs to one piece of code", async ({ page, api }) => {
  const code = { language: "javascript", source: "function main() { return {}; }" };
  await api.post("code-artifacts", { ...code, name: "Rate" });
  const { id } = await api.post("code-artifacts", { ...code, name: "Rates" });
  await page.goto(at("code"));
  await page.getByRole("button", { name: "New code" }).click();
  const dialog = page.getByRole("dialog", { name: "New code" });
  await dialog.getByLabel("Name").fill("Rate ");
  await expect(dialog.getByText("This name is already in use.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Create" })).toBeDisabled();
  await page.goto(at(`code/${String(id)}`));
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Rate");
  await expect(page.getByText("This name is already in use.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Save as new version" })).toBeDisabled();
  await name.fill("Rate 2");
  await expect(page.getByRole("button", { name: "Save as new version" })).toBeEnabled();
});

test("a syntax error names its line once, above an extract of the code", async ({ page, api }) => {
  const { id } = await api.post("code-artifacts", {
    name: "Half",
    language: "javascript",
    source: "function main() {\n  return {};\n}\n",
  });
  await page.goto(at(`code/${String(id)}`));
  const source = page.getByRole("textbox", { name: "Source" });
  await source.press("Control+End");
  await page.keyboard.type("const half = ;");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const error = page.getByRole("alert").filter({ hasText: "SyntaxError" });
  await expect(error).toContainText("Line 4: SyntaxError: ");
  expect((await error.innerText()).match(/line 4|:4:/gi)).toEqual(["Line 4"]);
  const extract = error.getByLabel("Extract");
  await expect(extract).toHaveCSS("font-family", /mono/i);
  const [line, caret] = (await extract.innerText()).split("\n");
  expect(line!.indexOf(";")).toBe(caret!.indexOf("^"));
  await picture(page, "code-syntax-error", ["light", "dark", "phone"]);
  // A busy machine stores code without a check.
  await expect(async () => {
    await source.press("Control+End");
    await page.keyboard.type(" ");
    await page.keyboard.press("Control+s");
    await expect(page.getByRole("alert").filter({ hasText: "SyntaxError" })).toHaveCount(2, {
      timeout: 20_000,
    });
  }).toPass();
});

test("the editor completes declared inputs and outputs, and marks the line of an error", async ({
  page,
  api,
}) => {
  const { id } = await api.post("code-artifacts", {
    name: "Net",
    language: "javascript",
    source: "function main(inputs) {\n}\n",
    inputs: [{ name: "gross_amount", type: "FLOAT" }],
    outputs: [{ name: "net_amount", type: "FLOAT" }],
  });
  await page.goto(at(`code/${String(id)}`));
  const source = page.getByRole("textbox", { name: "Source" });
  await source.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("return { ne");
  await page.getByRole("option", { name: /^net_amount/ }).click();
  await page.keyboard.type(": inputs.");
  await page.getByRole("option", { name: /^gross_amount/ }).click();
  await page.keyboard.type(".half.of }");
  await expect(source).toContainText("return { net_amount: inputs.gross_amount.half.of }");
  await page.getByLabel("gross_amount").fill("5");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Line 2: TypeError" })).toBeVisible();
  const mark = page.locator(".cm-lintRange-error");
  await expect(mark).toHaveText("  return { net_amount: inputs.gross_amount.half.of }".trim());
  await picture(page, "code-error-mark", ["light", "dark"]);
  await source.press("Control+End");
  await page.keyboard.type("// other code");
  await expect(mark).toHaveCount(0);
  // Renaming the input marks where the code still reads it.
  await page.getByLabel("Name of input 1").fill("gross");
  await expect(page.locator(".cm-lintRange-warning")).toHaveText("inputs.gross_amount");
});

test("a dry run checks the outputs in the editor, and an old version says that it is old", async ({
  page,
  api,
}) => {
  const code = {
    name: "Gross",
    language: "javascript",
    source: "function main({ net }) { return { gross: net }; }",
    inputs: [{ name: "net", type: "INTEGER" }],
    outputs: [{ name: "gross", type: "INTEGER" }],
  };
  const { id } = await api.post("code-artifacts", code);
  const changed = { ...code, outputs: [{ name: "total", type: "INTEGER" }] };
  await api.answer("PUT", `code-artifacts/${String(id)}`, changed);
  await page.goto(at(`code/${String(id)}`));
  const run = page.getByRole("button", { name: "Run", exact: true });
  await run.click();
  await expect(page.getByText("Enter a value.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "net" })).toBeFocused();
  await page.getByRole("textbox", { name: "net" }).fill("120");
  await run.click();
  const error = page.getByRole("alert").filter({ hasText: "Invalid output" });
  await expect(error).toContainText("The output 'total' is required.");
  await expect(page.getByLabel("result", { exact: true })).toContainText("120");
  const name = page.getByLabel("Name of output 1");
  await name.fill("gross");
  await expect(page.getByText("The code has changed since this run.")).toBeVisible();
  await run.click();
  await expect(error).toHaveCount(0);
  await name.fill("total");

  await page.getByRole("combobox", { name: "Version" }).click();
  await expect(page.getByRole("option", { name: "Version 1" })).toContainText(", you");
  await picture(page, "code-versions", ["light", "dark"]);
  await page.getByRole("option", { name: "Version 1" }).click();
  const old = page.getByText(/^This is an old version, saved .+ by .+\. The newest is version 2\.$/);
  await expect(old).toBeVisible();
  await picture(page, "code-old-version", ["light", "dark", "phone"]);
  await page.getByRole("button", { name: "Restore this version" }).click();
  await expect(page.getByRole("combobox", { name: "Version" })).toHaveValue("Version 3");
  await expect(old).toHaveCount(0);
  await expect(name).toHaveValue("gross");
});

test("the demo's report runs its own code, which names the agent", async ({ page, api }) => {
  const run = await start(api, "Currency report", { human_msg: "Convert", inputs: { amount: 116 } });
  await page.goto(at("code"));
  const row = page.getByRole("row", { name: /Currency conversion/ });
  await expect(row.getByRole("link", { name: "Currency report" })).toBeVisible();
  await row.getByRole("link", { name: "Currency conversion" }).click();
  await expect(page.getByLabel("Name of input 2")).toHaveValue("amount");
  // The dry run asks for the declared inputs.
  const dryRun = page.locator("form", { hasText: "Dry run" });
  await dryRun.getByRole("textbox", { name: "amount" }).fill("much");
  await dryRun.getByRole("button", { name: "Run", exact: true }).click();
  await expect(dryRun.getByText("Enter a number, e.g. 12.5.")).toBeVisible();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Delete code" }).click();
  await expect(page.getByRole("region", { name: "Used by" })).toContainText("Currency report");
  await page.getByRole("button", { name: "Delete code" }).click();
  await expect(page.getByText(/Published workflows use this code artifact: 'Currency report'/)).toBeVisible();
  await expectStatus(api, run, "COMPLETED");
});

test("code for a task is created in the editor, and the draft is kept", async ({ page, api, context }) => {
  const created = await api.post("workflows?allow_invalid=true", { name: "New code", assignment_rules: [] });
  await page.goto(at(`agents/${String(created.id)}`));
  await page.getByRole("button", { name: "Add Coder task" }).click();
  const side = page.getByRole("complementary", { name: "Properties" });
  await side.getByLabel("Instructions").fill("Rounds the amount.");
  const code = side.getByRole("combobox", { name: "Code" });
  await code.click();
  // The last option stays, whatever is searched.
  await page.keyboard.type("Nothing has this name");
  await expect(page.getByRole("option")).toHaveText(["New code…"]);
  await page.getByRole("option", { name: "New code…" }).click();
  const dialog = page.getByRole("dialog", { name: "New code" });
  // The code of a failed attempt stays.
  const name = `Round ${test.info().retry}`;
  await dialog.getByLabel("Name").fill(name);
  const opened = context.waitForEvent("page");
  await dialog.getByRole("button", { name: "Create" }).click();
  const editor = await opened;
  await expect(editor.getByRole("heading", { name, exact: true })).toBeVisible();
  await editor.close();
  await expect(dialog).toBeHidden();
  await expect(code).toHaveValue(name);
  await expect(side.getByRole("link", { name: "Open the code in a new tab" })).toBeVisible();
  await expect(side.getByLabel("Instructions")).toHaveValue("Rounds the amount.");
  await expectDraftSaved(page);
  await expect(page.locator(".react-flow__node[data-id=coder]")).toContainText(`Coder · ${name}`);

  // The list of tools ends with a way to more of them.
  await page.getByRole("button", { name: "Add App task" }).click();
  await side.getByRole("combobox", { name: "Tool" }).click();
  await expect(page.getByRole("option").last()).toHaveText("Add provider…");
  await page.getByRole("option", { name: "Add provider…" }).click();
  await expect(page.getByRole("dialog", { name: "Add provider" })).toBeVisible();
});
