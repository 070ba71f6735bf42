import { readFileSync } from "node:fs";
import type { TemplateSource } from "./binding.js";

/**
 * A template that ships with the package, read once when its module loads. `src/bindings` and
 * `dist/bindings` are equally far from it.
 *
 * @param name file name without extension
 * @throws when the package lacks the file
 */
export function loadTemplate(name: string): TemplateSource {
  const file = `templates/${name}.hbs`;
  return { name: file, text: readFileSync(new URL(`../../${file}`, import.meta.url), "utf8") };
}
