import { at, expect, picture, service, start, test, ticketOf } from "./parley";

test("Ctrl+K finds pages, things and actions, by name, number and ID", async ({ page, api }) => {
  const run = await start(api, "Travel request", {
    human_msg: "To Rome by ferry",
    inputs: { destination: "Rome", days: 3, budget: 900 },
  });
  const ticket = await api.get(`tickets/${ticketOf(run)}`);
  const team = await api.post("teams", { name: "Palm office" });
  const conversation = await api.post("conversations", {});
  await api.post(`conversations/${String(conversation.id)}/messages`, { content: "Offer for palm trees" });
  await page.goto(at("overview"));
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  const field = palette.getByRole("combobox");
  const search = async (text: string, option: string | RegExp) => {
    await page.keyboard.press("Control+k");
    await field.fill(text);
    await expect(palette.getByRole("option", { selected: true })).toHaveAccessibleName(option);
    await page.keyboard.press("Enter");
    await expect(palette).toHaveCount(0);
  };

  await search("new agent", /^New agent/);
  await expect(page.getByRole("dialog", { name: "New agent" })).toBeVisible();
  await page.keyboard.press("Escape");
  await search(`#${String(ticket.number)}`, new RegExp(`^#${String(ticket.number)} `));
  await expect(page).toHaveURL(at(`tickets/${String(ticket.id)}`));
  await expect(page.getByRole("heading", { level: 1, name: `#${String(ticket.number)}` })).toBeVisible();
  await search("overveiw", /^Overview/);
  await search("go to teams", /^Teams/);
  await expect(page).toHaveURL(at("teams"));
  await search(`open ticket ${String(ticket.number)}`, new RegExp(`^#${String(ticket.number)} `));
  await search(`ticket ${String(ticket.number)}`, new RegExp(`^#${String(ticket.number)} `));
  await expect(page).toHaveURL(at(`tickets/${String(ticket.id)}`));
  await search("claim", /^Claim/);
  await expect(page.getByRole("button", { name: "Release" })).toBeVisible();
  await search("reassign", /^Reassign/);
  await expect(page.getByRole("dialog", { name: "Reassign ticket" })).toBeVisible();
  await page.keyboard.press("Escape");
  await search("release", /^Release/);
  await expect(page.getByRole("button", { name: "Claim" })).toBeVisible();
  await search("overdue", /^Overdue tickets/);
  await expect(page).toHaveURL(at("tickets?assignee=all&overdue=true&sort=due"));
  await search(run.workflow_instance_id.slice(0, 24), /^Run of Travel request/);
  await expect(page.getByRole("heading", { name: "Run of Travel request" })).toBeVisible();
  await search("run again", /^Run again/);
  const rerun = page.getByRole("dialog", { name: "Run again" });
  await expect(rerun).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(rerun).toHaveCount(0);
  await search("PALM TREES", /^Offer for palm trees/);
  await expect(page).toHaveURL(at(`conversations/${String(conversation.id)}?q=PALM%20TREES`));
  await search("plam treees", /^Offer for palm trees/);
  await search("palm office", /^Palm office.*Team/);
  await expect(page).toHaveURL(at(`teams/${String(team.id)}`));
  // A visited conversation is listed once.
  await page.keyboard.press("Control+k");
  await field.fill("palm trees");
  await expect(palette.getByRole("option", { name: /^Offer for palm trees.*Conversation/ })).toHaveCount(1);
  await expect(palette.getByText("Recent", { exact: true })).toHaveCount(0);
  await page.keyboard.press("Escape");
  await page.goto(`${service.url}/organizations`);
  await expect(page.getByRole("heading", { name: "Organizations" })).toBeVisible();
  await search("demo", /^Demo.*Organization/);
  await expect(page).toHaveURL(at("overview"));
  await search("http request", /^(Send an )?HTTP request/i);
  await expect(page).toHaveURL(/\/tools\/\d+$/);

  // Keys that are pressed before the field has the focus are part of the text.
  await page.evaluate(async () => {
    const press = (key: string, ctrlKey = false) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", {
          key,
          code: `Key${key.toUpperCase()}`,
          ctrlKey,
          bubbles: true,
          cancelable: true,
        }),
      );
    press("k", true);
    await new Promise((done) => setTimeout(done));
    ["t", "e", "a", "m"].forEach((key) => press(key));
  });
  await expect(field).toHaveValue("team");
  await page.keyboard.press("Escape");

  // Visited pages are listed first.
  await page.keyboard.press("Control+k");
  await expect(palette.getByText("Recent", { exact: true })).toBeVisible();
  await expect(palette.getByRole("option", { name: /^Run of Travel request/ })).toBeVisible();
  await picture(page, "command-palette", ["light", "dark", "phone"]);
  await field.fill("rome by ferry");
  await expect(
    palette.getByRole("option", { name: /^Run of Travel request.*To Rome by ferry/ }),
  ).toBeVisible();
  await expect(palette.locator("mark", { hasText: "Rome" }).first()).toBeVisible();
  await field.fill(`#${String(ticket.number)}`);
  await expect(palette.getByText(/^Travel request · Unclaimed/)).toBeInViewport({ ratio: 1 });
  await field.fill("zzzz");
  await expect(palette.getByText("No results for “zzzz”.")).toBeVisible();
  await field.fill("theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "dark");
  await search("shortcuts", /^Keyboard shortcuts/);
  const shortcuts = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(shortcuts).toBeVisible();
  // A checkbox takes no text.
  await page.goto(at("runs"));
  await page.locator("tbody").getByRole("checkbox").first().check();
  await page.keyboard.press("?");
  await expect(shortcuts).toBeVisible();
});
