import type { CompileCache } from "../../compiler/compile-cache.js";
import type { CompileInput } from "../../compiler/compilation.js";
import { cachedStyle } from "../style/cached-style.js";
import { readTypeCheckSettings } from "./type-check-settings.js";

/**
 * Reads the settings of prettier and TypeScript for the output.
 *
 * @param outFolder absolute
 */
export async function readToolSettings(
  root: string,
  outFolder: string,
  cache: CompileCache | undefined,
): Promise<Pick<CompileInput, "style" | "typeCheck">> {
  return {
    style: await cachedStyle(root, outFolder, cache),
    typeCheck: await readTypeCheckSettings(root, outFolder, cache),
  };
}
