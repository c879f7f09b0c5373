import { expect, test } from "vitest";
import { isText, refusalOf, typeOf } from "./attachments";

const file = (name: string, type: string, size = 10) => ({ name, type, size });

test.each([
  file("a.png", "image/png"),
  file("a.mp3", "audio/mpeg"),
  file("a.webm", "video/webm"),
  file("a.csv", "application/vnd.ms-excel"),
  file("a.xlsx", ""),
  file("a.PDF", "application/pdf"),
])("$name can be sent", (sendable) => expect(refusalOf(sendable)).toBeUndefined());

test.each([
  [file("notes.md", ""), "Insert as text"],
  [file("notes.txt", "text/plain"), "Insert as text"],
  [file("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"), "as PDF"],
  [file("a.svg", "image/svg+xml"), "as PNG"],
  [file("a.mkv", "video/x-matroska"), "MP4"],
  [file("a.zip", "application/zip"), "of this type"],
  [file("a.pdf", "application/pdf", 0), "empty"],
])("%o is refused in plain words", (refused, words) => expect(refusalOf(refused)).toContain(words));

test("CSV files have their type on every system", () => {
  expect(typeOf(file("a.csv", ""))).toBe("text/csv");
  expect(isText(file("a.csv", "text/csv"))).toBe(false);
  expect(isText(file("a.txt", "text/plain", 200_000))).toBe(false);
});
