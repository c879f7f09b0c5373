import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

/** Debian's Chromium; without windows it needs a third less processor time. */
const chromium = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));

/** Runs Chromium against the packaged service, which tests/service.ts starts. */
export default defineConfig({
  testDir: "tests",
  outputDir: "results",
  globalSetup: "./tests/service.ts",
  // Tests spend a third of their time waiting for the service.
  workers: 3,
  fullyParallel: false,
  // Three browsers on two cores can cause timeouts; a test that passes on retry counts as flaky.
  retries: 1,
  reporter: [["list"]],
  // Machines differ by a factor of three in how fast three browsers run on their two cores.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Europe/Vienna",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env.PARLEY_CHROMIUM ?? chromium,
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
    // Tracing adds a third to the run time; PARLEY_TRACE=1 keeps the traces of failed tests.
    trace: process.env.PARLEY_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
  },
});
