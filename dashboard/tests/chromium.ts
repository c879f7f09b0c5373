import { existsSync } from "node:fs";

/** Debian's Chromium; without windows it needs a third less processor time. */
const installed = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));

/** How to start Chromium. */
export const chromium = {
  executablePath: process.env.PARLEY_CHROMIUM ?? installed,
  args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
};
