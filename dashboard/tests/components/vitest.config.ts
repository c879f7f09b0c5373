import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import type { BrowserCommand } from "vitest/node";
import { chromium } from "../chromium.ts";

/** Moves and presses the mouse at coordinates of the tested page. */
const mouse: BrowserCommand<[steps: readonly (readonly [x: number, y: number] | "down" | "up")[]]> = async (
  { page, frame },
  steps,
) => {
  // Vitest scales the page into its window.
  const [left, top, scale] = await (await frame()).frameElement().then((element) =>
    element.evaluate((each) => {
      const { x, y, width } = (each as HTMLElement).getBoundingClientRect();
      return [x, y, width / (each as HTMLElement).clientWidth] as const;
    }),
  );
  for (const step of steps) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await (typeof step === "string"
      ? page.mouse[step]()
      : page.mouse.move(left + step[0] * scale, top + step[1] * scale, { steps: 8 }));
  }
};

/** Switches between the layouts for screens and for paper. */
const media: BrowserCommand<[media: "screen" | "print"]> = ({ page }, of) => page.emulateMedia({ media: of });

/** Runs pages and components in Chromium with a scripted API, without the service. */
export default defineConfig({
  root: resolve(import.meta.dirname, "../.."),
  cacheDir: "node_modules/.vite-components",
  plugins: [react()],
  logLevel: "warn",
  // Found while the tests run, a dependency would reload the page.
  optimizeDeps: { entries: ["src/main.tsx", "tests/components/*.test.tsx"] },
  test: {
    include: ["tests/components/*.test.tsx"],
    setupFiles: ["tests/components/setup.ts"],
    reporters: ["dot"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // One page for all files saves loading the modules again.
    isolate: false,
    fileParallelism: false,
    browser: {
      enabled: true,
      headless: true,
      ui: false,
      screenshotFailures: false,
      viewport: { width: 1280, height: 800 },
      provider: playwright({
        launchOptions: chromium,
        contextOptions: { locale: "en-GB", timezoneId: "Europe/Vienna", reducedMotion: "reduce" },
        actionTimeout: 60_000,
      }),
      commands: { mouse, media },
      instances: [{ browser: "chromium" }],
    },
  },
});
