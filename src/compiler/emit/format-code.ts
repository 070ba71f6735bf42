import * as babel from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import type { Style } from "../../core/style.js";

/**
 * TypeScript in the user's own style.
 *
 * @param text whole statements
 * @returns lines ended by line feeds
 */
export async function formatCode(text: string, style: Style): Promise<string> {
  const layOut = (code: string) =>
    format(code, { ...style, ...language, endOfLine: "lf", filepath: moduleName });
  const once = await layOut(text);
  return objectInChain.test(once) ? layOut(once) : once;
}

/**
 * The one language of statements. Prettier as it is installed goes over the options of all its
 * languages for each text, which takes as long as to lay out a short statement. Babel reads
 * TypeScript in a quarter of the time that TypeScript's own parser takes here, and what is printed
 * of it is the same.
 */
const language = { parser: "babel-ts", plugins: [babel, estree] };

/**
 * Without it prettier searches the text for JSX, by a pattern that takes time in the square of a
 * long line.
 */
const moduleName = "module.ts";

/**
 * An object over several lines in a chain of calls. Whether prettier breaks such a chain depends on
 * how the object stood before, so that it would change its own output; it leaves that of its second
 * try.
 */
const objectInChain = /\.\w+\([^()\n]*\{$/m;
