import { invoices } from "./invoices";
import { at, expect, picture, test } from "./parley";

test("a person is mentioned in a comment by keyboard and by mouse, and gets an email", async ({
  page,
  api,
  newMember,
}) => {
  const [ticket] = await invoices(api, "ACME");
  const { id: mina, email } = await newMember("Mina", "admin");
  const { email: emailOfMilo } = await newMember("Milo", "admin");
  const { email: emailOfMinna } = await newMember("Minna", "member");
  await page.goto(at(`tickets/${ticket}`));
  const comment = page.getByLabel("Comment");
  const people = page.getByRole("listbox", { name: "People to mention" });

  await comment.pressSequentially("Hi @mi");
  await expect(people).toContainText(email);
  await expect(people.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  // Minna may not see the ticket.
  await expect(people).not.toContainText(emailOfMinna);
  await picture(page, "ticket-mention", ["light", "dark", "phone"]);
  await comment.press("Escape");
  await expect(people).toBeHidden();
  await comment.pressSequentially("n");
  await expect(people).toBeHidden();
  await comment.fill("");
  await comment.pressSequentially("Hi @mi");
  await people.getByRole("option", { name: email }).click();
  await expect(comment).toHaveValue("Hi @Mina ");
  await expect(comment).toBeFocused();
  await comment.pressSequentially("and @mi");
  await comment.press("ArrowUp");
  await expect(people.getByRole("option", { name: emailOfMilo })).toHaveAttribute("aria-selected", "true");
  await comment.press("Tab");
  await expect(comment).toHaveValue("Hi @Mina and @Milo ");
  await expect(people).toBeHidden();
  await comment.press("ArrowUp");

  // The draft keeps who was chosen; a mention that is deleted does not count.
  await page.reload();
  await expect(comment).toHaveValue("Hi @Mina and @Milo ");
  await comment.fill("Hi @Mina, **please** look");
  await comment.press("Control+Enter");
  await expect(comment).toHaveValue("");
  await expect(page.getByText("@Mina", { exact: true })).toHaveCSS("font-weight", /[6-9]00/);
  const { history } = (await api.get(`tickets/${ticket}`)) as { history: { mentions: string[] }[] };
  expect(history.at(-1)?.mentions).toEqual([mina]);

  await page.goto(at("emails?search=mentioned"));
  await page
    .getByRole("link", { name: /mentioned you: / })
    .first()
    .click();
  const recipients = page.getByRole("table", { name: "Recipients" });
  await expect(recipients).toContainText(email);
  await expect(recipients).not.toContainText(emailOfMilo);
});
