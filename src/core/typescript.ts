import { createRequire } from "node:module";
import type * as Morph from "ts-morph";

const requireMorph = createRequire(createRequire(import.meta.url).resolve("ts-morph"));

/**
 * TypeScript alone, the copy that `ts-morph` has in a file of its own: what is around it takes half
 * as long again to load. By `require`: an `import` would read all of its text for the names that it
 * exports. Types come from `ts-morph` itself.
 */
export const ts = requireMorph("@ts-morph/common/dist/typescript.js") as typeof Morph.ts;
