const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export const isIdentifier = (name: string): boolean => IDENTIFIER.test(name);

/** The name as a key of an object, in quotation marks if it is no identifier. */
export const keyOf = (name: string): string => (isIdentifier(name) ? name : JSON.stringify(name));

/** The access to a member, such as ".rate" or "["net rate"]". */
export const memberOf = (name: string): string =>
  isIdentifier(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
