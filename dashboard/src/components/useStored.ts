import { useLocalStorage } from "@mantine/hooks";

/** A setting that this browser keeps; its tabs share it. */
export const useStored = <T>(key: string, defaultValue: T) =>
  useLocalStorage<T>({ key: `parley.${key}`, defaultValue, getInitialValueInEffect: false });
