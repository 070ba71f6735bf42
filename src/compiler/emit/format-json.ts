import * as babel from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import type { Style } from "../../core/style.js";

/** Formats a JSON document in the user's style. Its lines end with line feeds. */
export function formatJson(text: string, style: Style): Promise<string> {
  return format(text, { ...style, parser: "json", plugins: [babel, estree], endOfLine: "lf" });
}
