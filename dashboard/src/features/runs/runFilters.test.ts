import { expect, test } from "vitest";
import { comparisonPath, filterQuery, readFilters } from "./runFilters";

const read = (text: string) => readFilters(new URLSearchParams(text));

test("several statuses are read in their order, unknown ones ignored", () => {
  expect(read("status=FAILED,GONE,RUNNING").statuses).toEqual(["RUNNING", "FAILED"]);
  expect(filterQuery(read("status=FAILED,RUNNING"), 0).status).toEqual(["RUNNING", "FAILED"]);
  expect(filterQuery(read(""), 0).status).toBeUndefined();
});

test("test runs are listed unless they are hidden", () => {
  expect(filterQuery(read(""), 0).test_run).toBeUndefined();
  expect(filterQuery(read("test_run=false"), 0).test_run).toBe(false);
  expect(filterQuery(read("test_run=true"), 0).test_run).toBe(true);
  expect(filterQuery(read("test_run=some"), 0).test_run).toBeUndefined();
});

test("a span ends now, a range has its own ends", () => {
  const now = Date.parse("2026-11-23T12:00:00Z");
  expect(filterQuery(read("hours=24"), now)).toMatchObject({
    created_since: "2026-11-22T12:00:00.000Z",
    created_until: undefined,
  });
  const range = read("from=2026-11-01T00:00&to=2026-11-02T00:00&hours=24");
  expect(range.span).toBe("custom");
  const { created_since, created_until } = filterQuery(range, now);
  expect(Date.parse(created_until!) - Date.parse(created_since!)).toBe(24 * 3_600_000);
  expect(read("hours=custom").span).toBe("custom");
  // The longest period of the overview, which links here.
  expect(filterQuery(read("hours=2160"), now).created_since).toBeDefined();
  expect(read("from=yesterday").from).toBeUndefined();
});

test("a comparison has the filters of the list, but not the task of a run", () => {
  expect(comparisonPath("o", "a", "b", "?agent=x&hours=24&task=t")).toBe(
    "/organizations/o/runs/compare?left=a&right=b&agent=x&hours=24",
  );
  expect(comparisonPath("o", "a", "b", "")).toBe("/organizations/o/runs/compare?left=a&right=b");
});
