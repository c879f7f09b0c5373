import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { at, button, dialog, expectGone, open, problem } from "./app";

const operation = (name: string, tag: string) => ({
  name,
  method: "GET",
  path: `/${name}`,
  summary: `Reads ${name}`,
  tags: [tag],
  deprecated: false,
});

const OFFERED = {
  operations: [operation("listPets", "Pets"), operation("getPet", "Pets"), operation("listOwners", "Owners")],
};

async function openForm(answers: Record<string, object>) {
  await open(at("tools?dialog=add-provider"), answers);
  const form = dialog("Add provider");
  await form.getByRole("combobox", { name: "Type" }).click();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await form.getByLabelText("Name").fill("shop");
  await form.getByLabelText("OpenAPI document URL").fill("https://shop.example/openapi.json");
  return form;
}

test("the operations of an OpenAPI document are searched and chosen", async () => {
  let sent: unknown;
  const form = await openForm({
    "POST tool-providers/operations": OFFERED,
    "POST tool-providers": async (request: Request) => {
      sent = await request.json();
      return { id: 1000 };
    },
  });
  await form.getByRole("button", { name: "Choose operations" }).click();
  await expect.element(form.getByText("3 operations, all chosen")).toBeVisible();
  await form.getByLabelText("Search operations").fill("owners");
  await expectGone(form.getByRole("checkbox", { name: "listPets" }));
  await form.getByRole("checkbox", { name: "listOwners" }).click();
  await expect.element(form.getByText("1 of 3 operations chosen")).toBeVisible();
  await form.getByLabelText("Search operations").fill("pet");
  await form.getByRole("button", { name: "Choose these 2" }).click();
  await form.getByRole("checkbox", { name: "getPet" }).click();
  await form.getByRole("button", { name: "Add provider" }).click();
  await expectGone(dialog("Add provider"));
  expect(sent).toMatchObject({
    url: "https://shop.example/openapi.json",
    operations: ["listOwners", "listPets"],
    tags: [],
  });
});

test("a document that cannot be read says why", async () => {
  const form = await openForm({
    "POST tool-providers/operations": () =>
      problem(400, "The OpenAPI description cannot be used: it is too large."),
  });
  await form.getByRole("button", { name: "Choose operations" }).click();
  await expect.element(form.getByText(/it is too large/)).toBeVisible();
  await expect.element(button("Choose operations")).toBeEnabled();
});
