import { optionsOf } from "../../components/optionsOf";
/** What happens when a task fails. */
export const ERROR_POLICIES = optionsOf({
  RAISE: "Fail the run",
  IGNORE: "Continue without outputs",
  RETRY: "Retry the task",
});

/** When a task runs that follows several others. */
export const JOINS = optionsOf({ all: "All tasks before it must run", any: "Any task before it must run" });

/** What happens when an item of a list fails. */
export const ITEM_FAILURES = optionsOf({ fail: "Fail the task", collect: "Leave it empty" });
