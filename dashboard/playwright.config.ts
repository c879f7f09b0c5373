import { defineConfig } from "@playwright/test";
import { chromium } from "./tests/chromium";

/** Runs Chromium against the packaged service, which tests/service.ts starts. Tests may wait minutes on a busy machine. */
export default defineConfig({
  testDir: "tests",
  testMatch: "*.spec.ts",
  outputDir: "results",
  globalSetup: "./tests/service.ts",
  projects: [{ name: "gate", grep: /@gate/ }, { name: "all" }],
  // Tests spend a third of their time waiting for the service.
  workers: 2,
  fullyParallel: false,
  // A test that passes on retry counts as flaky.
  retries: 1,
  reporter: [["list"]],
  timeout: 600_000,
  expect: { timeout: 120_000 },
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Europe/Vienna",
    viewport: { width: 1280, height: 800 },
    launchOptions: chromium,
    // Tracing adds a third to the run time; PARLEY_TRACE=1 keeps the traces of failed tests.
    trace: process.env.PARLEY_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
  },
});
