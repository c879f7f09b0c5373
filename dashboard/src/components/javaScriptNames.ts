const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export const isIdentifier = (name: string): boolean => IDENTIFIER.test(name);

/** A key of an object literal, such as `rate` or `"net rate"`. */
export const keyOf = (name: string): string => (isIdentifier(name) ? name : JSON.stringify(name));

/** Reads a member of an object, such as `.rate` or `["net rate"]`. */
export const memberOf = (name: string): string =>
  isIdentifier(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
