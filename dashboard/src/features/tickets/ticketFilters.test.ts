import { expect, test } from "vitest";
import { countQuery, filterQuery, isNarrowed, readFilters, scopesBeside } from "./ticketFilters";

const read = (url: string) => readFilters(new URLSearchParams(url));

test("the default is what is assigned to the person or claimed by the person", () => {
  expect(filterQuery(read(""))).toEqual({ assignee: "me", status: "OPEN,IN_PROGRESS" });
  expect(isNarrowed(read("assignee=all&status=done"))).toBe(false);
});

test("counts leave out the tickets of test runs, which the list shows", () => {
  expect(countQuery(read("overdue=true"))).toEqual({ ...filterQuery(read("overdue=true")), test_run: false });
  expect(countQuery(read("assignee=team"))).toEqual(filterQuery(read("assignee=team")));
});

test("filters of the URL become a query", () => {
  const agent = "0192f0c1a2b37c4d8e5f60718293a4b5";
  const filters = read(
    `assignee=team&status=unclaimed&sort=due&search=+acme+&agent=${agent}&team=3&overdue=true`,
  );
  expect(filters.sort).toBe("due");
  expect(filterQuery(filters)).toEqual({
    assignee: "team",
    status: "OPEN",
    search: "acme",
    workflow_id: agent,
    team_id: 3,
    test_run: false,
    overdue: "true",
  });
  expect(isNarrowed(filters)).toBe(true);
});

test("the tickets of the teams are the unclaimed ones, whatever the status of the other lists", () => {
  expect(filterQuery(read("assignee=team"))).toEqual({ assignee: "team", status: "OPEN", test_run: false });
  expect(filterQuery(read("assignee=team&status=done"))).toEqual({
    assignee: "team",
    status: "OPEN",
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

test("unknown values in the URL are ignored", () => {
  expect(read("assignee=me&status=toString&sort=size&agent=x&team=x&overdue=1")).toEqual(read(""));
});
