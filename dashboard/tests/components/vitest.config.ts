import { resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromium } from "../chromium";

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
      instances: [{ browser: "chromium" }],
    },
  },
});
