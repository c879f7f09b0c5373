import { useState } from "react";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { FrameOrganization } from "../../src/api/hooks";
import { TaskForm } from "../../src/features/agents/TaskForm";
import { ValidationIssuesContext, type ValidationIssue } from "../../src/values/validation";
import type { WorkflowDocument } from "../../src/graph/document";
import { input, task } from "./agentEditor";
import { button, expectGone, ORGANIZATION, press, render } from "./app";

/** Renders the form of the second of three tasks, of which the third reads it. */
function form(more: object, issues: ValidationIssue[] = []) {
  const now = {
    document: {
      name: "Agent",
      assignment_rules: [],
      tasks: [task("first"), task("second", more), task("third", { input_parameters: [input("text")] })],
      connections: [{ from: { task: "second", output: "text" }, to: { task: "third", input: "text" } }],
      dependencies: [{ from: "first", to: "second" }],
    } as unknown as WorkflowDocument,
    selected: "second" as string | null,
  };
  function Stateful() {
    const [document, setDocument] = useState(now.document);
    const [selected, setSelected] = useState(now.selected);
    const found = document.tasks.find((each) => each.id === selected);
    const change = (next: WorkflowDocument) => {
      now.document = next;
      setDocument(next);
    };
    const select = (next: string | null) => {
      now.selected = next;
      setSelected(next);
    };
    return (
      <MemoryRouter>
        <FrameOrganization value={ORGANIZATION}>
          <ValidationIssuesContext value={issues}>
            {found && (
              <TaskForm
                document={document}
                task={found}
                onChange={change}
                onSelect={select}
                onRenamed={select}
              />
            )}
          </ValidationIssuesContext>
        </FrameOrganization>
      </MemoryRouter>
    );
  }
  render(<Stateful />);
  return now;
}

test("a new ID is applied when the field is left, everywhere, unless another task has it", async () => {
  const now = form({});
  const id = page.getByRole("textbox", { name: "ID", exact: true });
  await id.fill("third");
  await press("Tab");
  await expect.element(page.getByText("Another task already uses the ID third")).toBeVisible();
  expect(now.document.tasks[1]!.id).toBe("second");
  await id.fill(" answer ");
  expect(now.document.tasks[1]!.id).toBe("second");
  await press("Tab");
  await expect.element(id).toHaveValue("answer");
  expect(now.selected).toBe("answer");
  expect(now.document.connections![0]!.from.task).toBe("answer");
  expect(now.document.dependencies).toEqual([{ from: "first", to: "answer" }]);
});

test("fields change the task, and issues appear at their fields and open their sections", async () => {
  const issue = (path: string, detail: string) => ({ path, error: "Invalid Value", detail });
  const now = form({}, [
    issue("/tasks/1/instructions", "Write the instructions."),
    issue("/tasks/1/error_policy", "Choose a policy."),
  ]);
  await expect
    .element(page.getByLabelText("Instructions"))
    .toHaveAccessibleDescription(/Write the instructions\./);
  await expect.element(page.getByText("Choose a policy.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Answer");
  await page.getByLabelText("Instructions").fill("Reply to the customer.");
  await button("Add output").click();
  await page.getByLabelText("Name of output 2").fill("tone");
  expect(now.document.tasks[1]).toMatchObject({
    name: "Answer",
    instructions: "Reply to the customer.",
    expected_output: [{ name: "text" }, { name: "tone" }],
  });
});

test("the form of a person’s task says what a failure does by default", async () => {
  form({ kind: "Human" });
  await expect.element(page.getByText(/^The person sees this text/)).toBeVisible();
  await page.getByText("Failure handling").click();
  await expect.element(page.getByText("Default: fail the run")).toBeVisible();
  await expectGone(page.getByText("Limits", { exact: true }));
});

test("a deleted task takes its connections with it", async () => {
  const now = form({});
  await button("Delete task").click();
  expect(now.selected).toBe(null);
  expect(now.document.tasks.map(({ id }) => id)).toEqual(["first", "third"]);
  expect(now.document.connections).toEqual([]);
});

test("a deleted model stays chosen, and options of the model are set beside it", async () => {
  const now = form({ model: "gone", fallbacks: ["spare"] });
  const second = () => now.document.tasks.find(({ id }) => id === "second");
  await expect
    .element(page.getByRole("combobox", { name: "Model", exact: true }))
    .toHaveValue("gone (deleted)");
  await expect.element(page.getByText("spare (deleted)").first()).toBeVisible();
  await page.getByLabelText("Temperature").fill("0.5");
  await page.getByLabelText("Maximum output (tokens)").fill("800");
  await page.getByRole("combobox", { name: "Reasoning effort" }).click();
  await page.getByRole("option", { name: "Low" }).click();
  await expect.poll(second).toMatchObject({
    model: "gone",
    fallbacks: ["spare"],
    temperature: 0.5,
    max_output_tokens: 800,
    reasoning_effort: "low",
  });
});
