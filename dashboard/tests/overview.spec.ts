import type { Locator } from "@playwright/test";
import { at, expect, picture, service, settled, start, test, testRun, type Api, type Run } from "./parley";

/** Runs the published version with the input of a run. */
const rerunPublished = async (api: Api, run: Run) =>
  settled(
    api,
    await api.post(`instances/${run.workflow_instance_id}/rerun?wait_seconds=20`, { version: "latest" }),
  );

test("the overview shows activity and limits", { tag: "@gate" }, async ({ page, api }) => {
  const tested = await start(api, "Travel request", { human_msg: "To Graz" });
  const run = await rerunPublished(api, tested);
  await api.post(`instances/${run.workflow_instance_id}/cancel`);
  const conversation = await api.post("conversations", {});
  await api.post(`conversations/${String(conversation.id)}/messages`, { content: "Hello" });
  await expect
    .poll(async () => {
      const { usage } = (await api.get("overview")) as { usage: { total: Record<string, number> } };
      const { messages_sent, runs_cancelled } = usage.total;
      return messages_sent! > 0 && runs_cancelled! > 0;
    })
    .toBe(true);
  await page.goto(at("overview"));
  await expect(page.getByText("No AI model is connected")).toBeVisible();
  const messages = page.getByRole("slider", { name: "Messages" });
  await messages.focus();
  await page.keyboard.press("End");
  await expect(messages).toHaveAttribute("aria-valuetext", /Received: [1-9]/);
  const runs = page.getByRole("slider", { name: /Runs by/ });
  await expect(runs).toHaveAttribute("aria-valuetext", /Cancelled: [1-9]/);
  await expect(page.getByText(/^\d+ of 100$/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Run duration" })).toContainText(
    "Includes waiting for people",
  );
  // All labels are inside of their charts.
  const clipped = await page.locator("main svg text").evaluateAll((labels) =>
    labels
      .filter((label) => {
        const [inner, outer] = [label, label.closest("svg")!].map((each) => each.getBoundingClientRect());
        return inner!.left < outer!.left - 1 || inner!.right > outer!.right + 1;
      })
      .map((label) => label.textContent),
  );
  expect(clipped).toEqual([]);
  await picture(page, "overview", ["light", "dark", "phone"]);
  await runs.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/runs\?from=.*&to=.*&test_run=false/);
  await expect(page.locator("tbody tr").first()).toBeVisible();
  await page.goBack();
  await page.getByText("30 days", { exact: true }).click();
  await expect(page).toHaveURL(at("overview?hours=720"));
  await expect(messages).toHaveAttribute("aria-valuetext", /^\d+ \w+\. Received/);
  await expect(page.getByText("0 before", { exact: true }).first()).toBeVisible();
  // The period stays chosen.
  await page.goto(at("runs"));
  await page.goto(at("overview"));
  await expect(page.getByRole("radio", { name: "30 days" })).toBeChecked();
});

test("the overview says what to do next, and links to it", async ({ page, newOrganization }) => {
  const { at: inNew, api } = await newOrganization("Attention");
  const task = {
    id: "think",
    name: "Think",
    instructions: "Think.",
    kind: "AI",
    input_parameters: [
      {
        name: "human_msg",
        type: "STRING",
        description: "Message",
        source: "system_generated",
        required: true,
      },
    ],
    expected_output: [{ name: "answer", type: "STRING", description: "Answer" }],
  };
  const agent = await api.post("workflows", {
    name: "Fragile",
    description: "",
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "User", assignee_id: service.user }],
    tasks: [task],
    connections: [],
    dependencies: [],
  });
  // Nothing listens on this port.
  const endpoint = await api.post("webhook-endpoints", {
    url: "http://127.0.0.1:1/hooks",
    event_types: ["workflow_instance.status_changed"],
  });
  // The test run fails too, and does not count.
  const tested = await testRun(api, agent.id, { human_msg: "offline:fail no" });
  await api.post(`workflows/${String(agent.id)}/publish`, {});
  await rerunPublished(api, tested);
  await openTeamTicket(api);
  await page.goto(inNew("overview"));
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention.getByRole("listitem")).toHaveText([
    "1 unclaimed ticket in your teams",
    "1 failed run of Fragile",
    "1 webhook endpoint is failing",
  ]);
  await expect(attention.getByRole("link", { name: "1 webhook endpoint" })).toHaveAttribute(
    "href",
    new RegExp(`/webhooks/endpoints/${String(endpoint.id)}$`),
  );
  await picture(page, "overview-attention", ["light", "dark", "phone"]);
  const laptop = page.viewportSize()!;
  const top = async (of: Locator) => (await of.boundingBox())?.y ?? 0;
  const failed = page.getByText("Runs failed", { exact: true });
  await expect.poll(async () => (await top(attention)) < (await top(failed))).toBe(true);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(async () => (await top(attention)) < (await top(failed))).toBe(true);
  await page.setViewportSize(laptop);
  await expect(page.getByRole("link", { name: "Tickets" })).toHaveText("Tickets1");
  await attention.getByRole("link", { name: "1 unclaimed ticket" }).click();
  await expect(page.getByRole("radio", { name: "Unclaimed in my teams 1" })).toBeChecked();
  await expect(page.getByRole("list", { name: "Tickets" }).getByRole("listitem")).toHaveCount(1);
  const team = page.getByRole("combobox", { name: "Team" });
  await team.click();
  await page.getByRole("option", { name: "Accounting" }).click();
  await expect(page.getByRole("radio", { name: "For me 0" })).toHaveCount(1);
  await expect(page.getByRole("radio", { name: "All 1" })).toHaveCount(1);
  expect(await team.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await page.goBack();
  await attention.getByRole("link", { name: "1 failed run" }).click();
  await expect(page.locator("tbody [data-status=FAILED]")).toHaveCount(1);
  await expect(page.getByRole("combobox", { name: "Test runs" })).toHaveValue("Hidden");
  await expect(page.getByRole("combobox", { name: "Agent" })).toHaveValue("Fragile");
  await page.getByRole("link", { name: "Fragile" }).click();
  // The run's error is shown once, and the task that failed is selected.
  await expect(page.getByText("no", { exact: true })).toHaveCount(1);

  await page.goto(inNew("agents"));
  await expect(page.getByRole("row", { name: /Fragile/ })).toContainText("1 of 1 run failed");
  await page.getByRole("searchbox", { name: "Search" }).fill("nothing");
  await expect(page.getByText("No agents match these filters")).toBeVisible();
  await page.goto(inNew("overview?dialog=connect-model"));
  await expect(page.getByRole("dialog", { name: "Connect a model" })).toContainText("PARLEY_LLM_MODEL");
});

test("the checklist of a new organization ticks itself and can be dismissed", async ({
  page,
  newOrganization,
}) => {
  const fresh = await newOrganization("Checklist");
  await page.goto(fresh.at("overview"));
  await expect(page.getByRole("heading", { name: "Getting started: 0 of 5 done" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Build an agent from a template" })).toHaveAttribute(
    "href",
    /agents\?dialog=new-agent$/,
  );
  await expect(page.getByRole("heading", { name: "Limits" })).toHaveCount(0);
  await expect(page.getByText("0 completed")).toHaveCount(0);
  await picture(page, "overview-empty", ["light", "dark", "phone"]);
  await fresh.api.post("api-keys", { name: "First" });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Getting started: 1 of 5 done" })).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Create an API key" })).toContainText("Done:");
  await page.getByRole("button", { name: "Dismiss getting started" }).click();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Limits" })).toBeVisible();
  await expect(page.getByText("Getting started")).toHaveCount(0);
});

test("an invited member learns what Parley is, what waits and what to do first", async ({
  api,
  page,
  newMember,
}) => {
  const team = await api.post("teams", { name: "Night shift" });
  await requestApproval(api, "Night approval", team.id);
  const added = await api.post("members", { name: "Nele", email: "nele@parley.example", role: "member" });
  await page.goto(`${service.url}/invitations/${String(added.invitation_token)}`);
  await expect(page.getByText("Parley runs agents that combine")).toBeVisible();

  const { id, member } = await newMember("Nils", "member");
  await api.answer("PUT", `teams/${String(team.id)}/members/${id}`);
  await member.goto(at("overview"));
  const welcome = member.getByRole("region", { name: /^Welcome to / });
  await expect(welcome).toContainText("1 ticket waits in your teams.");
  await expect(welcome.getByRole("listitem")).toHaveCount(3);
  await expect(member.getByText("Ask an admin to connect a model.")).toBeVisible();
  await expect(member.getByRole("button", { name: "Connect a model" })).toHaveCount(0);
  await picture(member, "overview-member", ["light", "dark", "phone"]);
  await welcome.getByRole("link", { name: "1 ticket" }).click();
  await expect(member.getByRole("list", { name: "Tickets" }).getByRole("listitem")).toHaveCount(1);
  await member.goBack();
  await welcome.getByRole("button", { name: "Dismiss welcome" }).click();
  await member.reload();
  await expect(member.getByRole("heading", { name: "Limits" })).toBeVisible();
  await expect(welcome).toHaveCount(0);
});

test("an invited admin is welcomed with the first steps of an admin", async ({ api, newMember }) => {
  const { id } = await api.post("conversations", {});
  await api.post(`conversations/${String(id)}/messages`, { content_type: "text", content: "Hello" });
  const { member } = await newMember("Ines", "admin");
  await member.goto(at("overview"));
  const welcome = member.getByRole("region", { name: /^Welcome to / });
  await expect(welcome.getByRole("link", { name: "View the members" })).toHaveAttribute("href", /\/members$/);
  await expect(welcome.getByRole("listitem")).toHaveCount(3);
  await expect(member.getByText("Getting started")).toHaveCount(0);
  await welcome.getByRole("button", { name: "Dismiss welcome" }).click();
  await expect(member.getByRole("heading", { name: "Limits" })).toBeVisible();
  await expect(welcome).toHaveCount(0);
});

/** Publishes an agent whose ticket a team gets, and sends it a message. */
async function requestApproval(api: Api, name: string, team: unknown) {
  const agent = await api.post("workflows", {
    name,
    assignment_rules: [{ rule_type: "Human Feedback", assignment_type: "Team", assignee_id: String(team) }],
    tasks: [{ id: "approve", kind: "Human", name: "Approve", instructions: "Check the order." }],
  });
  await api.post(`workflows/${String(agent.id)}/publish`);
  const conversation = await api.post("conversations", {
    usecase: "WORKFLOW_EXECUTION",
    config: { workflow_id: agent.id },
  });
  await api.post(`conversations/${String(conversation.id)}/messages`, {
    content_type: "text",
    content: "An order",
  });
}

/** Opens a ticket of a team of the demo user, by a message to a published agent. */
async function openTeamTicket(api: Api) {
  const team = await api.post("teams", { name: "Accounting" });
  await api.answer("PUT", `teams/${String(team.id)}/members/${service.user}`);
  await requestApproval(api, "Approval", team.id);
  await expect
    .poll(async () => ((await api.get("tickets?assignee=team&status=OPEN")).items as unknown[]).length)
    .toBe(1);
}
