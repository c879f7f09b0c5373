import { parseValues, type RawValue, type ValueField } from "../../values/valueFields";
import { missingText } from "../../values/FileField";

/** The typed values for a dry run, as the code gets them from a task, and the errors by input. */
export function testValues(fields: ValueField[], typed: Record<string, RawValue>) {
  const { values, errors } = parseValues(fields, typed);
  for (const { name, type, required } of fields) {
    if (required && !(name in values)) {
      errors[name] ??= missingText(type);
    }
    if ((type === "INTEGER" || type === "FLOAT") && name in values) {
      // Without the declaration, the service would pass the text on.
      values[name] = Number(values[name]);
    }
  }
  return { values, errors };
}
