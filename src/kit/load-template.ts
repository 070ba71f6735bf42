import { readFileSync } from "node:fs";
import type { TemplateSource } from "./binding.js";

/**
 * Loads a template of the package when a module loads. `src/bindings` and `dist/bindings` have the
 * same distance to the templates.
 *
 * @param name file name without extension
 * @throws if the package lacks the file
 */
export function loadTemplate(name: string): TemplateSource {
  const file = `templates/${name}.hbs`;
  return { name: file, text: readFileSync(new URL(`../../${file}`, import.meta.url), "utf8") };
}
