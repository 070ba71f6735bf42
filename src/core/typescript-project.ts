import { createRequire } from "node:module";
import type * as Morph from "ts-morph";

/** Of `ts-morph`, which carries the language's own declarations: a type check needs them. */
export const { Project } = createRequire(import.meta.url)("ts-morph") as typeof Morph;
