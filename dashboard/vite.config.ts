import { readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** Writes files.txt, from which the service learns which files to serve. */
function fileList(): Plugin {
  return {
    name: "file-list",
    apply: "build",
    closeBundle() {
      const files = readdirSync("dist", { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== "files.txt")
        .map((entry) => relative("dist", join(entry.parentPath, entry.name)))
        .toSorted();
      writeFileSync("dist/files.txt", `${files.join("\n")}\n`);
    },
  };
}

export default defineConfig({
  plugins: [react(), fileList()],
  logLevel: "warn",
  build: {
    // The code editor exceeds the default limit; it loads on demand.
    chunkSizeWarningLimit: 700,
    target: "es2023",
    // The first browsers with light-dark(), which must not be transpiled.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    manifest: "manifest.json",
    // Minified files lose the licence texts of their components.
    license: { fileName: "licenses.md" },
  },
  test: {
    include: ["src/**/*.test.ts"],
    reporters: ["dot"],
    testTimeout: 30_000,
    pool: "threads",
    isolate: false,
  },
  server: { proxy: { "/dashboard/api": process.env.PARLEY_URL ?? "http://localhost:8080" } },
});
