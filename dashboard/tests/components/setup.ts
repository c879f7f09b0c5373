import { afterEach, beforeEach } from "vitest";
import { cleanUp, reset } from "./app";

// Runs for each file, unlike the modules, which the files share.
beforeEach(reset);
afterEach(cleanUp);
