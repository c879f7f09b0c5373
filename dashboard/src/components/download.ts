/** Saves a value as a JSON file. */
export function downloadJson(value: unknown, filename: string) {
  const file = new Blob([`${JSON.stringify(value, null, 2)}\n`], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = filename;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A name that every file system accepts. */
export const fileNameOf = (text: string, otherwise: string) =>
  `${text.replaceAll(/[^\p{L}\p{N}]+/gu, "-").toLowerCase() || otherwise}.json`;
