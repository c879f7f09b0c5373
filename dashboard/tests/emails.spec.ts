import { at, expect, picture, test } from "./parley";

test("the e-mails of the organization are listed, or it is said when there will be some", async ({
  page,
  api,
}) => {
  await api.get("members");
  await page.goto(at("emails?state=FAILED"));
  await expect(page.getByRole("heading", { name: "No e-mails" })).toBeVisible();
  await picture(page, "emails");
});
