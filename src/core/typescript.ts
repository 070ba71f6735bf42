import { createRequire } from "node:module";
import type * as Morph from "ts-morph";

/**
 * By `require`: an `import` would read all of its text for the names that it exports, and take half
 * as long again. Types come from `ts-morph` itself.
 */
export const { Project, ts } = createRequire(import.meta.url)("ts-morph") as typeof Morph;
