import type { CompileCache } from "../../compiler/compile-cache.js";
import type { CompileInput } from "../../compiler/compilation.js";
import { keptStyle } from "../style/kept-style.js";
import { readTypeCheckSettings } from "./type-check-settings.js";

/**
 * The settings of prettier and TypeScript that the output must fit.
 *
 * @param outFolder absolute
 */
export async function readToolSettings(
  root: string,
  outFolder: string,
  cache: CompileCache | undefined,
): Promise<Pick<CompileInput, "style" | "typeCheck">> {
  return {
    style: await keptStyle(root, outFolder, cache),
    typeCheck: await readTypeCheckSettings(root, outFolder, cache),
  };
}
