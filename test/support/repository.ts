import { createRequire } from "node:module";
import { join } from "node:path";

/** The repository's folder: also for what runs compiled, in another. It ends with a slash. */
export const repository = join(
  createRequire(import.meta.url).resolve("skillc/package.json"),
  "../",
);
