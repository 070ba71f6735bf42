import * as babel from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import type { Style } from "../../core/style.js";

/**
 * Formats TypeScript in the user's style.
 *
 * @param text whole statements
 * @returns lines that end with line feeds
 */
export async function formatCode(text: string, style: Style): Promise<string> {
  const layOut = (code: string) =>
    format(code, { ...style, ...language, endOfLine: "lf", filepath: moduleName });
  const once = await layOut(text);
  return objectInChain.test(once) ? layOut(once) : once;
}

/**
 * Parser for statements. Prettier's normal entry reads the options of all its languages for each
 * text, which takes as long as formatting a short statement. Babel is four times as fast here as
 * TypeScript's own parser, with the same output.
 */
const language = { parser: "babel-ts", plugins: [babel, estree] };

/**
 * Without a file name, prettier searches the text for JSX with a pattern that takes quadratic time
 * on long lines.
 */
const moduleName = "module.ts";

/**
 * A multi-line object in a chain of calls. Prettier breaks such a chain depending on the object's
 * previous layout, so it would change its own output. The second pass is stable.
 */
const objectInChain = /\.\w+\([^()\n]*\{$/m;
