import {
  Checkbox,
  getOptionsLockup,
  getParsedComboboxData,
  Select,
  type CheckboxProps,
  type SelectProps,
} from "@mantine/core";
import { useFilters } from "./useFilters";

interface SelectFilterProps extends Omit<SelectProps<string>, "onChange"> {
  /** The parameter of the URL that holds the value. */
  param: string;
  /** The value that applies without the parameter; without one, all is listed. */
  standard?: string;
}

/** Filters or sorts a list by one of some values; another value in the URL is ignored. */
export function SelectFilter({ param, standard, ...select }: SelectFilterProps) {
  const filters = useFilters();
  const value = filters.get(param);
  const known =
    value !== undefined && Object.hasOwn(getOptionsLockup(getParsedComboboxData(select.data)), value);
  return (
    <Select
      placeholder="All"
      clearable={standard === undefined}
      allowDeselect={standard === undefined}
      value={known ? value : (standard ?? null)}
      onChange={(chosen) => filters.set(param, chosen === standard ? null : chosen)}
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
