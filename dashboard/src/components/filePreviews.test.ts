import { expect, test } from "vitest";
import { isBinary, isolatedHtml, parseCsv, previewKind } from "./filePreviews";

test("the preview follows the extension", () => {
  expect(previewKind("20260101_000000_Offer.PDF")).toBe("pdf");
  expect(previewKind("notes.md")).toBe("markdown");
  expect(previewKind("archive.zip")).toBeUndefined();
  expect(previewKind("picture.svg")).toBeUndefined();
});

test("CSV fields may be quoted and contain delimiters, quotes and line breaks", () => {
  expect(parseCsv('name,note\r\n"Smith, J","says ""hi""\nand leaves"\r\n,', 10)).toEqual([
    ["name", "note"],
    ["Smith, J", 'says "hi"\nand leaves'],
    ["", ""],
  ]);
});

test("the delimiter is that of the first line", () => {
  expect(parseCsv("\uFEFFa;b\n1,5;2", 10)).toEqual([
    ["a", "b"],
    ["1,5", "2"],
  ]);
  expect(parseCsv('"a,b"\tc', 10)).toEqual([["a,b", "c"]]);
});

test("only the first rows are parsed", () => {
  expect(parseCsv("a\nb\nc", 2)).toEqual([["a"], ["b"]]);
  expect(parseCsv("", 2)).toEqual([]);
});

test("an HTML file cannot load anything", () => {
  const page = isolatedHtml("<html><head></head><body>Hi</body></html>");
  expect(page.indexOf("default-src 'none'")).toBeLessThan(page.indexOf("<html>"));
});

test.each<[string, number[], boolean]>([
  ["a ZIP archive", [0x50, 0x4b, 3, 4, 20, 0, 8, 0], true],
  ["bytes without a zero", [0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x1a, 0x03], true],
  ["UTF-8", [...new TextEncoder().encode("Name;Größe\r\n\tÄpfel;3\n")], false],
  [
    "some letters of Latin-1",
    [...Buffer.from("Name;Gr\u00f6\u00dfe of all the goods in stock\n", "latin1")],
    false,
  ],
  ["nothing", [], false],
])("%s is binary or text", async (_, bytes, binary) => {
  expect(isBinary(await new Blob([new Uint8Array(bytes)]).text())).toBe(binary);
});
