import { afterEach, expect, test } from "vitest";
import { commands, page } from "vitest/browser";
import { boxOf, node, nodes, openAgent, task } from "./agentEditor";
import { expectGone } from "./app";

afterEach(() => commands.media("screen"));

test("an agent is printed with its whole graph, without its selection, and with all tasks", async () => {
  const tasks = Array.from({ length: 10 }, (_, index) => task(`step_${index}`, { name: `Step ${index}` }));
  const dependencies = tasks.slice(1).map(({ id }, index) => ({ from: `step_${index}`, to: id }));
  await openAgent({ tasks, dependencies }, { query: "?task=step_3" });
  await expect.element(node("step_3")).toBeVisible();
  await commands.media("print");
  await expect
    .poll(() =>
      page
        .css("main section:has(> h2)")
        .elements()
        .filter((each) => /^Step \d+.*Instructions/s.test(each.textContent)),
    )
    .toHaveLength(10);
  // The graph is fitted into its frame after the layout for paper.
  await expect
    .poll(() => {
      const frame = boxOf(page.css(".react-flow"));
      return [...nodes.elements(), ...document.querySelectorAll(".react-flow__edge-path")].filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom;
      });
    })
    .toHaveLength(0);
  const border = (id: string) =>
    getComputedStyle(document.querySelector(`[data-id=${id}] > div`)!).borderColor;
  expect(border("step_3")).toBe(border("step_4"));
  await expectGone(page.getByRole("complementary"));
});

test("the print command of the browser renders the content for paper before it counts the pages", async () => {
  await openAgent({ tasks: [task("only", { name: "Step 1" })] });
  await expect.element(node("only")).toBeVisible();
  const printed = () =>
    page
      .css("main section:has(> h2)")
      .elements()
      .map((each) => each.textContent);
  expect(printed().join()).not.toMatch(/Step 1.*Instructions/s);
  window.dispatchEvent(new Event("beforeprint"));
  expect(printed().join()).toMatch(/Step 1.*Instructions/s);
  window.dispatchEvent(new Event("afterprint"));
  expect(printed().join()).not.toMatch(/Step 1.*Instructions/s);
});
