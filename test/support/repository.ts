import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The repository's folder, with a slash at the end. It is the same for code that runs compiled from
 * another folder.
 */
export const repository = join(
  createRequire(import.meta.url).resolve("skillc/package.json"),
  "../",
);
