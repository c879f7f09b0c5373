import { lazy, Suspense, type ComponentType } from "react";
import { LoadingIndicator } from "./QueryBoundary";

/** A component whose script loads when it is first rendered, with an indicator meanwhile. */
export function lazily<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const Loaded = lazy(load) as unknown as ComponentType<P>;
  return function Lazily(props: P) {
    return (
      <Suspense fallback={<LoadingIndicator />}>
        <Loaded {...props} />
      </Suspense>
    );
  };
}
