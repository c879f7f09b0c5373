import { expect, test } from "vitest";
import { filterQuery, isNarrowed, readFilters, scopesBeside, sortOptions, widerLists } from "./ticketFilters";

const read = (url: string) => readFilters(new URLSearchParams(url));

test("the default is what is assigned to the person or claimed by the person", () => {
  expect(filterQuery(read(""))).toEqual({ assignee: "me", status: ["OPEN", "IN_PROGRESS"], test_run: false });
  expect(isNarrowed(read("assignee=all&status=done"))).toBe(false);
});

test("tickets of test runs are listed and counted only on request", () => {
  expect(filterQuery(read("assignee=all")).test_run).toBe(false);
  expect(filterQuery(read("assignee=all&tests=true"))).not.toHaveProperty("test_run");
  expect(filterQuery(read("assignee=team&tests=true"))).not.toHaveProperty("test_run");
});

test("open tickets are sorted by due date, done ones by their end", () => {
  expect(read("").sort).toBe("due");
  expect(read("status=done").sort).toBe("resolved");
  expect(read("status=done&sort=created").sort).toBe("created");
  expect(read("assignee=team&status=done&sort=resolved").sort).toBe("due");
  expect(sortOptions(read("")).map(({ value }) => value)).not.toContain("resolved");
  expect(sortOptions(read("status=done"))[0]).toEqual({ value: "resolved", label: "Last finished" });
});

test("filters of the URL become a query", () => {
  const agent = "0192f0c1a2b37c4d8e5f60718293a4b5";
  const filters = read(
    `assignee=team&status=unclaimed&sort=due&search=+acme+&agent=${agent}&team=3&overdue=true`,
  );
  expect(filters.sort).toBe("due");
  expect(filterQuery(filters)).toEqual({
    assignee: "team",
    status: ["OPEN"],
    search: "acme",
    workflow_id: agent,
    team_id: 3,
    test_run: false,
    overdue: true,
  });
  expect(isNarrowed(filters)).toBe(true);
});

test("the tickets of the teams are the unclaimed ones, whatever the status of the other lists", () => {
  expect(filterQuery(read("assignee=team"))).toEqual({ assignee: "team", status: ["OPEN"], test_run: false });
  expect(filterQuery(read("assignee=team&status=done"))).toEqual({
    assignee: "team",
    status: ["OPEN"],
    test_run: false,
  });
  expect(isNarrowed(read("assignee=team&status=claimed"))).toBe(false);
});

test("the tickets of the teams are offered only beside open tickets", () => {
  const offered = (url: string) => scopesBeside(read(url)).map(({ value }) => value);
  expect(offered("")).toEqual(["mine", "team", "all"]);
  expect(offered("status=done")).toEqual(["mine", "all"]);
  expect(offered("assignee=all&status=claimed")).toEqual(["mine", "all"]);
  expect(offered("assignee=team&status=done")).toEqual(["mine", "team", "all"]);
});

test("a search that finds nothing goes on in all open and all done tickets", () => {
  const { all, done } = widerLists(read("assignee=team&search=%237&overdue=true&team=3"));
  expect(filterQuery(all)).toEqual({ assignee: "all", status: ["OPEN", "IN_PROGRESS"], search: "#7" });
  expect(filterQuery(done)).toEqual({
    assignee: "all",
    status: ["RESOLVED", "REJECTED", "CLOSED"],
    search: "#7",
  });
});

test("unknown values in the URL are ignored", () => {
  expect(read("assignee=me&status=toString&sort=size&agent=x&team=x&overdue=1")).toEqual(read(""));
});
