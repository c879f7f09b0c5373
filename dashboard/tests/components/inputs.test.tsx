import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { Chart } from "../../src/components/Chart";
import { MARKED_FIELDS } from "../../src/values/structures";
import { ValueInput } from "../../src/values/ValueInput";
import type { RawValue, ValueField } from "../../src/values/valueFields";
import { button, expectCount, expectGone, press, render } from "./app";

const field = (name: string, type: string, more: Partial<ValueField> = {}): ValueField => ({
  name,
  type,
  description: `About ${name}`,
  required: true,
  ...more,
});

/** Renders an input and returns its current value. */
function input(of: ValueField, { error = "", initial = null as RawValue, label = of.name } = {}) {
  const current: { value: RawValue } = { value: initial };
  function Stateful() {
    const [value, setValue] = useState(initial);
    const change = (next: RawValue) => {
      current.value = next;
      setValue(next);
    };
    return <ValueInput field={of} label={label} value={value} error={error || undefined} onChange={change} />;
  }
  render(<Stateful />);
  return current;
}

test("each type has its input", async () => {
  const text = input(field("reason", "STRING"));
  await page.getByRole("textbox", { name: "reason" }).fill("Too late");
  expect(text.value).toBe("Too late");

  const number = input(field("amount", "INTEGER"));
  await expect.element(page.getByRole("textbox", { name: "amount" })).toHaveAttribute("inputmode", "numeric");
  await page.getByRole("textbox", { name: "amount" }).fill("12");
  expect(number.value).toBe("12");

  const time = input(field("at", "DATETIME"));
  await page.getByLabelText("at", { exact: false }).first().fill("2029-03-01T10:00");
  expect(time.value).toBe("2029-03-01T10:00");

  const choice = input(field("color", "STRING", { choices: ["red", "green"], required: false }));
  await page.getByRole("combobox", { name: "color" }).click();
  await page.getByRole("option", { name: "green" }).click();
  expect(choice.value).toBe("green");
});

test("a missing answer to a question is marked at its first radio", async () => {
  const booked = input(field("booked", "BOOLEAN"), { error: "Choose Yes or No." });
  await expect.element(page.getByText("Choose Yes or No.")).toBeVisible();
  await expect.element(page.getByLabelText("Yes")).toHaveAttribute("data-invalid", "true");
  const radio = page.getByLabelText("Yes").element().getBoundingClientRect();
  const message = page.getByText("Choose Yes or No.").element().getBoundingClientRect();
  expect(message.top - radio.bottom).toBeGreaterThan(3);
  await page.getByLabelText("No").click();
  expect(booked.value).toBe(false);
});

test("a value without a known structure is JSON, which must be valid", async () => {
  const values = input(field("values", "ARRAY"));
  const text = page.getByRole("textbox", { name: "values" });
  await text.fill("[1, 2");
  await press("Tab");
  await expect.element(page.getByText("This isn’t valid JSON.")).toBeVisible();
  await text.fill("[1, 2]");
  await press("Tab");
  await expectGone(page.getByText("This isn’t valid JSON."));
  expect(values.value).toBe("[1, 2]");
});

const ORDER = field("order", "ARRAY", {
  items: {
    type: "OBJECT",
    properties: [
      { name: "sku", type: "STRING", description: "The article", required: true },
      { name: "quantity", type: "INTEGER", description: "How many", required: true },
    ],
  },
});

test("a list of objects is filled in by rows, or as JSON", async () => {
  const order = input(ORDER, { label: "Order", initial: '[{"sku": "A-1"}]' });
  const row = (number: number) => page.getByRole("group", { name: `Row ${number} of Order` });
  await expect.element(row(1).getByLabelText("Sku")).toHaveValue("A-1");
  await button("Add row").click();
  await expect.element(row(2).getByLabelText("Sku")).toHaveFocus();
  await row(2).getByLabelText("Quantity").fill("12000");
  await button("Edit as JSON").click();
  await expect.element(page.getByLabelText("Order as JSON")).toHaveValue(order.value as string);
  expect(order.value).toMatch(/"quantity": "12000"/);
  await page.getByLabelText("Order as JSON").fill("[");
  await expect.element(button("Edit as a form")).toBeDisabled();
  await page.getByLabelText("Order as JSON").fill('[{"sku": "B-2"}, {"sku": "C-3"}]');
  await button("Edit as a form").click();
  await expect.element(row(2).getByLabelText("Sku")).toHaveValue("C-3");
  await button("Remove row 2 of Order").click();
  await expectGone(row(2));
  // The focus stays at the row before.
  await expect.element(button("Remove row 1 of Order")).toHaveFocus();
});

test("all faulty fields of a list of objects are marked until they are corrected", async () => {
  input(ORDER, {
    label: "Order",
    error: MARKED_FIELDS,
    initial: '[{"sku": "A-1", "quantity": "three"}, {"quantity": "2"}]',
  });
  const row = (number: number) => page.getByRole("group", { name: `Row ${number} of Order` });
  const marked = page.css("[aria-invalid=true]");
  await expectCount(marked, 2);
  await expect.element(row(1).getByText(/^Enter a whole number/)).toBeVisible();
  await expect.element(row(2).getByText("Enter a value.")).toBeVisible();
  await expect.element(page.getByText(MARKED_FIELDS)).toBeVisible();
  await row(1).getByLabelText("Quantity").fill("3");
  await expectCount(marked, 1);
  await row(2).getByLabelText("Sku").fill("B-2");
  await expectGone(marked);
  await expectGone(page.getByText(MARKED_FIELDS));
});

test("a chart is read by arrow keys, and Enter opens a column", async () => {
  let opened: number | undefined;
  const times = ["Mon", "Tue", "Wed"].map((day) => ({ short: day, long: `${day} noon` }));
  const series = [{ name: "Runs", tone: "blue" as const, values: [1, null, 3] }];
  render(
    <Chart
      title="Runs by day"
      times={times}
      series={series}
      format={String}
      onOpen={(index) => (opened = index)}
    />,
  );
  const slider = page.getByRole("slider", { name: "Runs by day" });
  await expect.element(slider).toHaveAttribute("aria-valuetext", "Wed noon. Runs: 3");
  slider.element().focus();
  await press("ArrowLeft");
  await expect.element(slider).toHaveAttribute("aria-valuetext", "Tue noon. Runs: –");
  await press("Home");
  await expect.element(slider).toHaveAttribute("aria-valuetext", "Mon noon. Runs: 1");
  await expect.element(page.getByText("Mon noon · view the runs started then")).toBeVisible();
  await press("Enter");
  expect(opened).toBe(0);
  await press("ArrowLeft", "End");
  await expect.element(slider).toHaveAttribute("aria-valuenow", "2");

  render(
    <Chart
      title="Nothing"
      times={times}
      series={[{ ...series[0]!, values: [0, null, 0] }]}
      format={String}
    />,
  );
  await expect.element(page.getByText("No data for this period")).toBeVisible();
});
