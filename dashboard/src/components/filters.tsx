import { Checkbox, Select, type CheckboxProps, type SelectProps } from "@mantine/core";
import { useFilters } from "./useFilters";

interface SelectFilterProps extends Omit<SelectProps<string>, "onChange"> {
  /** The parameter of the URL that holds the value. */
  param: string;
  /** The value that applies without the parameter; without one, all is listed. */
  standard?: string;
}

/** Filters or sorts a list by one of some values. */
export function SelectFilter({ param, standard, ...select }: SelectFilterProps) {
  const filters = useFilters();
  return (
    <Select
      placeholder="All"
      clearable={standard === undefined}
      allowDeselect={standard === undefined}
      value={filters.get(param) ?? standard ?? null}
      onChange={(value) => filters.set(param, value === standard ? null : value)}
      {...select}
    />
  );
}

/** Filters a list by something that is or is not so. */
export function CheckboxFilter({ param, ...checkbox }: CheckboxProps & { param: string }) {
  const filters = useFilters();
  return (
    <Checkbox
      {...checkbox}
      checked={filters.get(param) === "true"}
      onChange={(event) => filters.set(param, event.currentTarget.checked ? "true" : null)}
    />
  );
}
