import type { Page } from "@playwright/test";
import { at, expect, settled, start, test, ticketOf } from "./parley";

const TRIP = { human_msg: "To Graz by train", inputs: { destination: "Graz", days: 2, budget: 300 } };

/** The text area of A4 in pixels. */
const PAPER = { width: 680, height: 1009 };

const LOG = /\/logs\?/;
const RUN = [LOG, /\/task-inputs$/, /\/attempts\?limit/];

async function pagesOf(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: "A4" });
  return pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

/** Opens a page and waits until it has loaded what it prints. */
async function open(page: Page, path: string, ...requests: RegExp[]) {
  const loading = requests.map(async (each) => (await page.waitForResponse(each)).finished());
  await page.goto(at(path));
  await Promise.all(loading);
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
}

/** Prints the page; returns its pages, and the texts of the elements that match when the browser counts the pages. */
async function print(page: Page, selector: string) {
  await page.evaluate((wanted) => {
    const record = () =>
      document.body.setAttribute(
        "data-texts",
        JSON.stringify([...document.querySelectorAll(wanted)].map((each) => each.textContent)),
      );
    window.addEventListener("beforeprint", record, { once: true });
  }, selector);
  const pages = await pagesOf(page);
  const texts = JSON.parse((await page.locator("body").getAttribute("data-texts"))!) as string[];
  return { pages, texts };
}

test("a run of ten tasks is printed completely at once, with its graph inside the paper", async ({
  page,
  api,
}) => {
  const run = await start(api, "Ten tasks", { human_msg: "**Figures** of the quarter\n\n- up\n- down" });
  expect(run.status).toBe("COMPLETED");
  const path = `runs/${run.workflow_instance_id}`;
  await open(page, path, ...RUN);
  await expect(page.locator(".react-flow__edge")).toHaveCount(9);
  const { pages, texts } = await print(page, "main section:has(> h2), .react-flow__edge");
  // The connections have no text.
  expect(texts.filter((text) => text === "")).toHaveLength(9);
  const steps = texts.filter((text) => /^Step \d+ Completed.*Inputs.*Outputs.*Text./s.test(text));
  expect(steps).toHaveLength(10);
  expect(steps.filter((text) => /\d tokens in, \d+ out · /.test(text))).toHaveLength(10);
  // On screen again, none of it is left.
  await expect(page.getByRole("heading", { name: /^Step 10/ })).toHaveCount(0);

  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: /^Step 10/ })).toBeVisible();
  expect(pages).toBeGreaterThan(1);
  expect(await pagesOf(page)).toBe(pages);
  // Laid out for the window, the graph has the width of the paper.
  const canvas = (await page.locator("div:has(> .react-flow)").boundingBox())!;
  expect(canvas.width).toBeLessThanOrEqual(PAPER.width);
  const outside = await page.locator(".react-flow__node").evaluateAll(
    (all, { x, width }) =>
      all.filter((each) => {
        const { left, right } = each.getBoundingClientRect();
        return left < x || right > x + width;
      }).length,
    canvas,
  );
  expect(outside).toBe(0);
  const window = page.viewportSize()!;
  await page.setViewportSize(PAPER);
  const origin = page.getByText(/ · Printed /);
  expect(await origin.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await page.setViewportSize(window);
  await page.emulateMedia({ media: "screen" });
});

test("a printed rerun names the run of each reused result, with the inputs of that run", async ({
  page,
  api,
}) => {
  const run = await start(api, "Ten tasks", { human_msg: "Figures" });
  const body = { from_task: "step_9", human_msg: "Never read" };
  const again = await settled(
    api,
    await api.post(`instances/${run.workflow_instance_id}/rerun?wait_seconds=20`, body),
  );
  const path = `runs/${again.workflow_instance_id}`;
  await open(page, path, ...RUN, new RegExp(`/instances/${run.workflow_instance_id}$`));
  const { texts } = await print(page, "main section:has(> h2), main > :first-child");
  expect(texts[0]).toMatch(/ · Printed .*\/runs\//);
  const first = texts.find((text) => text.startsWith("Step 1 "))!;
  expect(first).toMatch(/Reused from the run of \d.*Inputs.*Figures/s);
  expect(texts.filter((text) => text.includes("Reused from the run of"))).toHaveLength(8);
});

test("a ticket is printed completely at once, with its history and the values of its earlier steps", async ({
  page,
  api,
}) => {
  const run = await start(api, "Travel request", TRIP);
  const ticket = ticketOf(run);
  for (let number = 1; number <= 30; number++) {
    // oxlint-disable-next-line no-await-in-loop -- the order of the comments
    await api.post(`tickets/${ticket}/comment`, { text: `Comment number ${number}.` });
  }
  await open(page, `tickets/${ticket}`, LOG);
  await expect(page.getByText("Comment number 30.")).toBeVisible();
  const { pages, texts } = await print(page, "main section");
  expect(texts.find((text) => text.startsWith("Earlier steps"))).toMatch(/Plan the journey.*Graz.*Cost/s);
  expect(texts.find((text) => text.startsWith("Answer"))).toMatch(/Booked.*Reference/s);

  await page.emulateMedia({ media: "print" });
  await expect(page.getByText(/ · Printed /)).toBeVisible();
  expect(pages).toBeGreaterThan(2);
  expect(await pagesOf(page)).toBe(pages);
  await page.emulateMedia({ media: "screen" });
});

test("runs and conversations have a command to print", async ({ page, api }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute("data-printed", "true");
  });
  const run = await start(api, "Ten tasks", { human_msg: "Hello" });
  await page.goto(at(`runs/${run.workflow_instance_id}`));
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Print" }).click();
  await expect(page.locator("body[data-printed]")).toBeVisible();

  const { id } = await api.post("conversations", {});
  for (let number = 1; number <= 55; number++) {
    // oxlint-disable-next-line no-await-in-loop -- the order of the messages
    await api.post(`conversations/${String(id)}/messages`, { content: `Question ${number}?` });
  }
  await page.goto(at(`conversations/${String(id)}`));
  const log = page.getByRole("log");
  await expect(log.getByText("Question 55?").first()).toBeVisible();
  await expect(log.getByText("Question 1?").first()).toHaveCount(0);
  await page.getByRole("button", { name: "Print" }).click();
  // The older messages, too.
  await expect(page.locator("body[data-printed]")).toBeVisible();
  await expect(log.getByText("Question 1?").first()).toBeAttached();
});
