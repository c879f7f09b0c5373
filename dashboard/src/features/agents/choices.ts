/** What happens when a task fails. */
export const ERROR_POLICIES = [
  { value: "RAISE", label: "Fail the run" },
  { value: "IGNORE", label: "Continue without outputs" },
  { value: "RETRY", label: "Retry the task" },
];

/** When a task runs that follows several others. */
export const JOINS = [
  { value: "all", label: "All tasks before it must run" },
  { value: "any", label: "Any task before it must run" },
];

/** What happens when an item of a list fails. */
export const ITEM_FAILURES = [
  { value: "fail", label: "Fail the task" },
  { value: "collect", label: "Leave it empty" },
];
