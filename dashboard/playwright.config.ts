import { defineConfig } from "@playwright/test";

/** Debian's Chromium against the service as it is packaged; tests/service.ts starts it. */
export default defineConfig({
  testDir: "tests",
  outputDir: "results",
  globalSetup: "./tests/service.ts",
  // Tests wait for the service a third of their time.
  workers: 3,
  fullyParallel: false,
  // Three browsers on two cores: what failed once is tried once more, and is told as flaky.
  retries: 1,
  reporter: [["list"]],
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "Europe/Vienna",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env.PARLEY_CHROMIUM ?? "/usr/bin/chromium",
      args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    },
    // Recording each step takes a third of the time; PARLEY_TRACE=1 does it where a test fails.
    trace: process.env.PARLEY_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
  },
});
