/** The file types that messages can carry, for file pickers. */
export const ACCEPTED_FILES =
  "image/*,audio/*,video/mp4,video/webm,video/quicktime,application/pdf,.xlsx,text/csv,.csv";

const BY_EXTENSION: Record<string, string> = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pdf: "application/pdf",
};

const VIDEOS = ["video/mp4", "video/webm", "video/quicktime"];
const MAX_TEXT_BYTES = 100_000;

const extensionOf = (name: string) => name.slice(name.lastIndexOf(".") + 1).toLowerCase();

/** The type of a file. Systems with spreadsheet programs report their own type for CSV files, others none. */
export const typeOf = (file: { name: string; type: string }) =>
  BY_EXTENSION[extensionOf(file.name)] ?? file.type;

/** Why a file cannot be sent; undefined if it can. */
export function refusalOf(file: { name: string; type: string; size: number }): string | undefined {
  const type = typeOf(file);
  const extension = extensionOf(file.name);
  if (file.size === 0) {
    return "This file is empty.";
  }
  if (type === "image/svg+xml") {
    return "SVG images can’t be sent. Save the image as PNG.";
  }
  if (
    /^(?:image|audio)\//.test(type) ||
    VIDEOS.includes(type) ||
    Object.values(BY_EXTENSION).includes(type)
  ) {
    return undefined;
  }
  if (isText(file)) {
    return "Text and Markdown files can’t be sent. Use “Insert as text” instead.";
  }
  if (/^(?:docx?|odt|rtf|pages)$/.test(extension)) {
    return "Word documents can’t be sent. Save the document as PDF.";
  }
  if (/^(?:xls|ods|numbers)$/.test(extension)) {
    return "This spreadsheet format can’t be sent. Save it as XLSX or CSV.";
  }
  if (/^(?:pptx?|odp|key)$/.test(extension)) {
    return "Presentations can’t be sent. Save the presentation as PDF.";
  }
  if (type.startsWith("video/")) {
    return "Videos must be MP4, WebM or QuickTime files.";
  }
  return "Files of this type can’t be sent. You can send images, audio, videos, PDF, XLSX and CSV files.";
}

/** Whether the file is a text that fits into a message. */
export const isText = (file: { name: string; type: string; size: number }) =>
  file.size <= MAX_TEXT_BYTES &&
  typeOf(file) !== "text/csv" &&
  (file.type.startsWith("text/") || /^(?:md|markdown|txt|json|xml|ya?ml|log)$/.test(extensionOf(file.name)));

/** Names pasted screenshots by their time, because browsers call all of them "image.png". */
export function namedByTime(file: File, now: Date): File {
  if (file.name !== "image.png") {
    return file;
  }
  const time = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  return new File([file], `screenshot-${time}.png`, { type: file.type });
}
