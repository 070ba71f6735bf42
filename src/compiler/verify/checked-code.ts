import { type Code, piecesOf } from "../../core/code.js";
import { sha256 } from "../../core/hash.js";
import type { JsonValue } from "../../core/json.js";
import type { PrintedModule } from "../unit.js";
import type { TypeCheckSettings } from "./check-types.js";

/**
 * Returns the part of a module's code that can affect a type check. It has no comments, and no text
 * of type `string`, such as a skill's own words in its catalog. Modules with the same part have the
 * same problems.
 */
export function checkedCode(code: Code): string {
  return piecesOf(code)
    .filter(({ comment }) => comment !== true)
    .map(({ anyText, meant, text }) => {
      if (anyText === true) return '""';
      return isData(meant?.value) ? JSON.stringify(meant?.value, bare) : text;
    })
    .join("");
}

const codes = new WeakMap<Code, string>();

/** Hash of the code, cached because several callers need it. */
function codeOf(draft: Code): string {
  const known = codes.get(draft) ?? sha256(checkedCode(draft));
  codes.set(draft, known);
  return known;
}

function isData(value: JsonValue | undefined): boolean {
  return typeof value === "object" && value !== null;
}

/** Keys of the catalog and of JSON Schema whose values are any text. */
const words: ReadonlySet<string> = new Set(["description", "body", "capability", "manifest_hash"]);

function bare(key: string, value: unknown): unknown {
  return words.has(key) && typeof value === "string" ? "" : value;
}

/** Cache key for a module without type problems. */
export function keyOfTypeCheck(
  { draft, environment, file }: PrintedModule,
  { compilerOptions }: TypeCheckSettings,
): string {
  const code = codeOf(draft);
  return sha256(JSON.stringify(["types", file.path, environment, compilerOptions, code]));
}
