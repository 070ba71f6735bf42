import { createRequire } from "node:module";
import type * as Morph from "ts-morph";

const requireMorph = createRequire(createRequire(import.meta.url).resolve("ts-morph"));

/**
 * TypeScript alone, from the separate file that `ts-morph` has: its other code would take half as
 * long again to load. Loaded by `require`, because `import` would scan its whole text for exported
 * names. Types come from `ts-morph` itself.
 */
export const ts = requireMorph("@ts-morph/common/dist/typescript.js") as typeof Morph.ts;
