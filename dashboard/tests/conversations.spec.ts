import { at, DOT, expect, picture, service, test, workflow } from "./parley";

test(
  "a user chats with the model and views the JSON of a message",
  { tag: "@gate" },
  async ({ page, api }) => {
    await api.get("members");
    await page.goto(at("conversations"));
    await page.getByRole("button", { name: "New conversation" }).first().click();
    // Enter takes the agent of a pasted name.
    const agent = page.getByRole("combobox", { name: "Chat with" });
    await agent.fill("invoice appr");
    await agent.press("Enter");
    await expect(agent).toHaveValue("Invoice approval");
    await page.goto(at("conversations"));
    await page.getByRole("button", { name: "New conversation" }).first().click();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await expect(page.getByText("Ask the model anything.")).toBeVisible();
    // One without messages is used again, however often.
    const unused = page.url();
    for (const _ of [1, 2]) {
      // oxlint-disable no-await-in-loop -- one dialog after the other
      await page.getByRole("button", { name: "New conversation" }).click();
      await page.getByRole("button", { name: "Start", exact: true }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      expect(page.url()).toBe(unused);
      // oxlint-enable no-await-in-loop
    }
    await page.getByRole("button", { name: "Draft a polite reply to the email below." }).click();
    await expect(page.getByLabel("Message", { exact: true })).toHaveValue(/^Draft a polite reply/);
    await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
    await page.getByLabel("Message", { exact: true }).fill("Hello, who are you?");
    await page.keyboard.press("Enter");
    const log = page.getByRole("log");
    await expect(log.getByText("Hello, who are you?").first()).toBeVisible();
    await expect(log.locator("article[data-type=AGENT_RESPONSE]")).toBeVisible();
    // The title is that of the list, and the composer stays at the bottom edge.
    await expect(page.getByRole("heading", { level: 1, name: "Hello, who are you?" })).toBeVisible();
    const edge = async () => {
      const box = await page.locator("form:has(#message)").boundingBox();
      return Math.round(box!.y + box!.height) - page.viewportSize()!.height;
    };
    expect(await edge()).toBe(0);
    await picture(page, "conversation", ["light", "dark", "phone"]);
    await page.getByRole("button", { name: "Ask again" }).click();
    await expect(log.locator("article[data-type=USER_INPUT]")).toHaveCount(2);
    await expect(log.locator("article[data-type=AGENT_RESPONSE]")).toHaveCount(2);
    await expect(page.getByRole("button", { name: "Copy", exact: true })).toHaveCount(1);
    expect(await edge()).toBe(0);
    await log.locator("article").first().getByRole("button", { name: "Message actions" }).click();
    await page.getByRole("menuitem", { name: "Show JSON" }).click();
    await expect(log.getByLabel("message as JSON", { exact: true })).toContainText('"USER_INPUT"');
  },
);

test("a user stops the reply of the model", async ({ page, api }) => {
  const { id } = await api.post("conversations", {});
  await page.goto(at(`conversations/${String(id)}`));
  await page.getByLabel("Message", { exact: true }).fill("offline:wait 600000");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByRole("log").getByText("The reply was stopped.")).toBeVisible();
  await expect(page.getByRole("log").getByText("Failed", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Stop" })).toHaveCount(0);
});

test(
  "a conversation shows the steps of its run and asks for inputs in a form",
  { tag: "@gate" },
  async ({ page, api }) => {
    const id = await workflow(api, "Travel request");
    const created = await api.post("conversations", {
      usecase: "WORKFLOW_EXECUTION",
      config: { workflow_id: id },
    });
    await page.goto(at(`conversations/${String(created.id)}`));
    await expect(page.getByText("Include in your message: destination, days")).toBeVisible();
    await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
    await page.keyboard.type("To Graz by train");
    await page.keyboard.press("Enter");
    const form = page.getByRole("form", { name: "Requested inputs" });
    await expect(form).toBeVisible();
    await expect(page.getByRole("link", { name: /Run: paused/ }).first()).toBeVisible();
    await expect(page.locator("ol li", { hasText: "Plan the journey" })).toContainText("Waiting");
    await form.getByLabel("destination").fill("Graz");
    await form.getByLabel("days").fill("3");
    // Entries survive a reload.
    await page.reload();
    await expect(form.getByLabel("destination")).toHaveValue("Graz");
    await expect(form.getByLabel("days")).toHaveValue("3");
    await form.getByRole("button", { name: "Send answers" }).click();
    await expect(form.getByText("Enter a value.")).toBeVisible();
    await form.getByLabel("budget").fill("200.50");
    await expect(page.getByText("Travel request needs your input")).toBeVisible();
    await form.getByRole("button", { name: "Send answers" }).click();
    await expect(form).toHaveCount(0);
    await expect(page.getByText("Travel request asked for input")).toBeVisible();
    // The run now waits for a ticket.
    const ticket = page.getByRole("link", { name: "Open ticket" });
    await expect(ticket).toBeVisible();
    await page.getByLabel("Message", { exact: true }).fill("Any news?");
    await page.keyboard.press("Enter");
    const queued = page.locator("article", { hasText: "Any news?" });
    await expect(queued).toContainText("Read when the run has ended or asks for input.");
    await expect(queued.getByRole("link", { name: "a ticket" })).toHaveAttribute(
      "href",
      (await ticket.getAttribute("href")) ?? "",
    );
    await page.goto(at("conversations"));
    await page.getByLabel("Search").fill("graz by");
    const row = page.getByRole("link", { name: "To Graz by train" });
    await expect(row).toBeVisible();
    await expect(page.getByRole("row", { name: /To Graz by train/ }).locator("mark")).toHaveText("Graz by");
    await page.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("textbox", { name: "Name of the view" }).fill("Trips");
    await page.keyboard.press("Enter");
    await picture(page, "conversations", ["light", "phone"]);
    await page.goto(at("conversations"));
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("menuitem", { name: "Trips" }).click();
    await expect(page.getByLabel("Search")).toHaveValue("graz by");
    // A click anywhere in the row opens the conversation.
    await page
      .getByRole("row", { name: /To Graz by train/ })
      .getByText("Travel request")
      .click({ force: true });
    await expect(page.getByRole("heading", { level: 1, name: "To Graz by train" })).toBeVisible();
    await page.goBack();
    await page.getByLabel("Search").fill(String(created.id));
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "To Graz by train" })).toBeVisible();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("Title").fill("Summer in Graz");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Summer in Graz" })).toBeVisible();
  },
);

test(
  "a user attaches several files, which are sent in order and previewed",
  { tag: "@gate" },
  async ({ page, api }) => {
    const created = await api.post("conversations", {});
    await page.goto(at(`conversations/${String(created.id)}`));
    await page.locator("input[type=file]").setInputFiles([
      { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes") },
      { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from('name,age\n"Smith, J",40\n') },
    ]);
    await expect(page.getByText("Text and Markdown files can’t be sent.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Send", exact: true })).toBeDisabled();
    await page.getByLabel("Message", { exact: true }).press("Enter");
    await expect(page.getByText(/^Not sent\. Remove the files/)).toBeVisible();
    await page.getByRole("button", { name: "Insert as text" }).click();
    // A window that becomes narrower keeps the files.
    await page.setViewportSize({ width: 1000, height: 800 });
    await expect(page.getByRole("button", { name: "Remove people.csv" })).toBeVisible();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const log = page.getByRole("log");
    await expect(log.getByRole("heading", { name: "Notes" })).toBeVisible();
    await log.getByRole("button", { name: "Preview people.csv" }).click();
    await expect(log.getByRole("cell", { name: "Smith, J" })).toBeVisible();
  },
);

test("files that are sent together are one group", async ({ page, api }) => {
  // The agent has not answered the first file when the test ends.
  const { id } = await api.post("workflows", {
    name: "Waits a little",
    assignment_rules: [{ rule_type: "Exception", assignment_type: "User", assignee_id: service.user }],
    tasks: [
      {
        id: "wait",
        kind: "App",
        name: "Wait",
        instructions: "Wait.",
        provider: "builtin",
        tool_name: "time.wait",
        tool_id: 3,
        input_parameters: [
          {
            name: "seconds",
            type: "INTEGER",
            description: "How long",
            required: true,
            source: "task_config",
            value: 60,
          },
        ],
        expected_output: [{ name: "resumed_at", type: "DATETIME", description: "When it ended" }],
      },
    ],
  });
  await api.post(`workflows/${String(id)}/publish`);
  const created = await api.post("conversations", {
    usecase: "WORKFLOW_EXECUTION",
    config: { workflow_id: id },
  });
  await page.goto(at(`conversations/${String(created.id)}`));
  const csv = (name: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from("name,age\nJo,40\n") });
  await page.locator("input[type=file]").setInputFiles([csv("people.csv"), csv("places.csv")]);
  await page.getByLabel("Message", { exact: true }).fill("Two lists");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const sent = page.getByRole("log").locator("article[data-type=USER_INPUT]");
  await expect(sent.getByText("places.csv", { exact: true })).toBeVisible();
  await expect(sent).toHaveCount(1);
  await expect(sent.getByText("people.csv", { exact: true })).toBeVisible();
  await expect(sent.getByText("Two lists", { exact: true })).toBeVisible();
  await picture(page, "conversation-files", ["light", "dark", "phone"]);
  await sent.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Show JSON" }).click();
  await expect(sent.getByLabel("message as JSON", { exact: true })).toContainText("_places.csv");
});

test("an image sent through the API appears in the chat", async ({ page, api, request }) => {
  await api.get("members");
  const developer = async (path: string, data: object) => {
    const answer = await request.post(`${service.url}/developer/api/${path}`, {
      data,
      headers: { Authorization: `Bearer ${service.apiKey}` },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
    return (await answer.json()) as Record<string, string> & { headers: Record<string, string> };
  };
  const conversation = await developer("conversations", {});
  const file = { filename: "dot.png", content_type: "image/png" };
  const upload = await developer("media/presigned-url", { ...file, size: DOT.length });
  const put = await request.put(upload.upload_url!, { data: DOT, headers: upload.headers });
  expect(put.ok(), await put.text()).toBe(true);
  await developer("messages", {
    conversation_id: conversation.id,
    content_type: "image/png",
    filename: upload.filename,
  });
  await page.goto(at(`conversations/${conversation.id}`));
  const image = page.getByRole("log").locator("img");
  await expect(image).toBeVisible();
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1);
  // A member's message differs from the customer's.
  await expect(page.getByText(/Started by API key “.+”/)).toBeVisible();
  await expect(page.getByText(/^You write as .+ \(team\) in a conversation of API key “/)).toBeVisible();
  await page.getByLabel("Message", { exact: true }).fill("A note from the team");
  await page.keyboard.press("Enter");
  const sent = page.getByRole("log").locator("article[data-type=USER_INPUT]");
  await expect(sent.last()).toContainText("A note from the team");
  await expect(sent.last()).toContainText("You (team)");
  await expect(sent.first()).toContainText(/API key “.+”/);
});

test("a user sends an image with a caption", async ({ page, api }) => {
  const created = await api.post("conversations", {});
  await page.goto(at(`conversations/${String(created.id)}`));
  const chosen = { name: "dot.png", mimeType: "image/png", buffer: DOT };
  await page.locator("input[type=file]").setInputFiles(chosen);
  await expect(page.getByRole("list", { name: "Attached files" }).getByText("dot.png")).toBeVisible();
  await page.getByLabel("Message", { exact: true }).fill("A dot");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const log = page.getByRole("log");
  await expect(log.locator("img")).toBeVisible();
  await expect(log.getByText("A dot", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove dot.png" })).toHaveCount(0);
});

test("text typed while a message is being sent is kept", async ({ page, api }) => {
  const created = await api.post("conversations", {});
  await page.goto(at(`conversations/${String(created.id)}`));
  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  await page.route(/\/messages$/, async (route) => {
    await held;
    await route.continue();
  });
  const message = page.getByLabel("Message", { exact: true });
  await message.fill("First");
  await message.press("Enter");
  await message.pressSequentially(" and then more");
  go();
  await expect(message).toHaveValue("and then more");
  await page.unroute(/\/messages$/);
});

test("the list stays beside the open conversation, and keys and clicks move in it", async ({
  page,
  newOrganization,
}) => {
  const { at: inOrganization, api } = await newOrganization("Side by side");
  const say = async (content: string) => {
    const { id } = await api.post("conversations", {});
    await api.post(`conversations/${String(id)}/messages`, { content });
    return String(id);
  };
  const ids = [await say("Alpha first"), await say("Beta second"), await say("Gamma third")];
  const title = (name: string) => page.getByRole("heading", { level: 1, name });
  await page.goto(inOrganization("conversations?mine=true"));
  await page.getByRole("link", { name: "Gamma third" }).click();
  await expect(title("Gamma third")).toBeVisible();
  const list = page.getByRole("complementary", { name: "Conversations" });
  await expect(list.getByRole("link")).toHaveCount(3);
  await expect(list.locator("[aria-current=page]")).toContainText("Gamma third");
  await picture(page, "conversation-list", ["light", "dark", "phone"]);
  await list.getByRole("link", { name: /Beta second/ }).click();
  await expect(title("Beta second")).toBeVisible();
  await expect(page).toHaveURL(inOrganization(`conversations/${ids[1]!}?mine=true`));
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused();
  await list.getByRole("link", { name: /Beta second/ }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(title("Alpha first")).toBeVisible();
  await expect(list.getByRole("link", { name: /Alpha first/ })).toBeFocused();
  await page.keyboard.press("k");
  await expect(title("Beta second")).toBeVisible();
  await page.getByLabel("Message", { exact: true }).focus();
  await page.keyboard.type("j");
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("j");
  await page.getByLabel("Message", { exact: true }).fill("");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await expect(title("Alpha first")).toBeVisible();
  await page.keyboard.press("/");
  await expect(list.getByLabel("Search")).toBeFocused();
  await list.getByRole("link", { name: /Beta second/ }).click();
  await expect(title("Beta second")).toBeVisible();
  await list.getByLabel("Search").fill("gamma");
  await expect(list.getByRole("link")).toHaveCount(1);
  await expect(title("Beta second")).toBeVisible();
  await list.getByLabel("Search").fill("");
  await list.getByRole("checkbox", { name: "Unread" }).click();
  await expect(page).toHaveURL(inOrganization(`conversations/${ids[1]!}?mine=true&unread=true`));
  await list.getByText("All", { exact: true }).click();
  await expect(page).toHaveURL(inOrganization(`conversations/${ids[1]!}?unread=true`));
  await list.getByRole("button", { name: "New conversation" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
  await expect(title("Chat with the model")).toBeVisible();
  await page.setViewportSize({ width: 1100, height: 800 });
  await expect(list).toHaveCount(0);

  // The list has the same title, and its keys go on from the conversation that was open.
  await page.goto(inOrganization("conversations"));
  const untitled = page.getByRole("row", { name: /Chat with the model/ });
  await expect(untitled).toContainText("No messages yet");
  await page.keyboard.press("j");
  await expect(untitled.getByRole("link")).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Gamma third" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(title("Gamma third")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("row", { name: /Gamma third/ })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Gamma third" })).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByLabel("Search")).toBeFocused();
});

test("the rows of a long list are measured, so that the list does not jump", async ({
  page,
  newOrganization,
}) => {
  const { at: link, api } = await newOrganization("Many conversations");
  await Promise.all(Array.from({ length: 55 }, () => api.post("conversations", { usecase: "DEFAULT" })));
  await page.goto(link("conversations"));
  const { height: rowHeight } = (await page.locator("tbody tr").first().boundingBox())!;
  const scrollTo = (index: number, step: number) =>
    expect(async () => {
      await page.mouse.move(700, 500);
      await page.mouse.wheel(0, step);
      await expect(page.locator(`tbody tr[data-index='${index}']`)).toBeInViewport({ timeout: 100 });
    }).toPass();
  // The second page loads on the way.
  await scrollTo(54, 400);
  await scrollTo(0, -400);
  const { height } = (await page.locator("tbody").boundingBox())!;
  expect(Math.abs(height - 55 * rowHeight)).toBeLessThan(rowHeight);
});
