import { at, expect, picture, test, workflow } from "./parley";

test("a run is seen as a graph, paused, resumed, and compared with another", async ({ page, api }) => {
  const id = await workflow(api, "Travel request");
  const start = async (body: Record<string, unknown>) =>
    String((await api.post(`workflows/${id}/test-run?wait_seconds=20`, body)).workflow_instance_id);
  const first = await start({ human_msg: "To Graz", inputs: { destination: "Graz", days: 2, budget: 300 } });
  const second = await start({ human_msg: "To Linz", inputs: { destination: "Linz", days: 1, budget: 100 } });

  await page.goto(at("runs"));
  await expect(page.getByRole("link", { name: "Travel request" }).nth(1)).toBeVisible();
  await page.getByRole("combobox", { name: "Status" }).click();
  await page.getByRole("option", { name: "Paused" }).click();
  await expect(page.getByRole("link", { name: "Travel request" }).nth(1)).toBeVisible();
  await picture(page, "runs", ["light", "phone"]);
  await page.getByLabel(`Compare ${first}`).check();
  await page.getByLabel(`Compare ${second}`).check();
  await page.getByRole("button", { name: "Compare the two" }).click();
  await expect(page.getByText("outputs differ")).toBeVisible();
  await picture(page, "runs-compared", ["light"]);

  await page.goto(at(`runs/${first}`));
  await expect(page.locator(".react-flow__node")).toHaveCount(2);
  await expect(page.getByText("A person is asked")).toBeVisible();
  await page.locator(".react-flow__node").first().click();
  await expect(page.getByRole("complementary").getByText("Plan the journey")).toBeVisible();
  await picture(page, "run", ["light", "dark", "phone"]);
  await page.getByRole("tab", { name: "History" }).click();
  await expect(page.getByText("Run: RUNNING → PAUSED")).toBeVisible();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
  await expect(page.locator("main [data-status=CANCELLED]").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Cancel run" })).toHaveCount(0);
});
