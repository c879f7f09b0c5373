import { useState } from "react";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { LeaveGuard, useUnsavedChanges } from "../../src/components/leaveGuard";
import { dialog, expectGone, render } from "./app";

interface Options {
  save?: () => Promise<void>;
  kept?: boolean;
}

/** Opens a page with unsaved changes. */
function edit(options: Options = {}) {
  function Editing() {
    const [text, setText] = useState("");
    useUnsavedChanges(text !== "", options);
    return <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />;
  }
  const router = createMemoryRouter([
    {
      element: (
        <>
          <LeaveGuard />
          <Outlet />
        </>
      ),
      children: [
        { path: "/", element: <Editing /> },
        { path: "/other", element: <h1>Other page</h1> },
      ],
    },
  ]);
  render(<RouterProvider router={router} />);
  return router;
}

const question = () => dialog("Leave without saving?");
const other = () => page.getByRole("heading", { name: "Other page" });

/** Whether closing the tab would ask. */
function asksOnClose() {
  const event = new Event("beforeunload", { cancelable: true });
  window.dispatchEvent(event);
  return event.defaultPrevented;
}

test("leaving asks only if there are changes, which staying keeps", async () => {
  const router = edit();
  await expect.element(page.getByLabelText("Text")).toBeVisible();
  expect(asksOnClose()).toBe(false);
  await page.getByLabelText("Text").fill("Draft");
  expect(asksOnClose()).toBe(true);
  void router.navigate("/other");
  await expect.element(question()).toHaveTextContent("If you leave, they’ll be lost.");
  await question().getByRole("button", { name: "Keep editing" }).click();
  await expectGone(question());
  await expect.element(page.getByLabelText("Text")).toHaveValue("Draft");
  void router.navigate("/other");
  await question().getByRole("button", { name: "Leave" }).click();
  await expect.element(other()).toBeVisible();
  await expect.poll(asksOnClose).toBe(false);
});

test("changes that can be saved are saved without a question", async () => {
  const saved: string[] = [];
  const save = async () => {
    saved.push("saved");
  };
  const router = edit({ save });
  await page.getByLabelText("Text").fill("Draft");
  void router.navigate("/other");
  await expect.element(other()).toBeVisible();
  expect(saved).toEqual(["saved"]);
});

test("a failed save asks, and says whether this browser keeps the changes", async () => {
  const router = edit({ save: () => Promise.reject(new Error("Offline")), kept: true });
  await page.getByLabelText("Text").fill("Draft");
  void router.navigate("/other");
  await expect.element(question()).toHaveTextContent("stay in this browser for 14 days");
});
