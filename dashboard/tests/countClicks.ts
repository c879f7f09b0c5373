import type { Page } from "@playwright/test";

/** Counts presses of the mouse: clicks and drags. */
export async function countClicks(page: Page) {
  let clicks = 0;
  await page.exposeFunction("countClick", () => clicks++);
  await page.addInitScript(() =>
    document.addEventListener(
      "pointerdown",
      () => (window as unknown as { countClick: () => void }).countClick(),
      true,
    ),
  );
  return () => clicks;
}
