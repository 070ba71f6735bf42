import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { SqlConfig } from "../model.js";
import { within } from "../spans.js";
import { readTokens } from "../statement/lexer.js";

/** `'%:name%'`: in quotes a placeholder is text. One that stands nowhere else leaves a parameter without use, which is an error by itself. */
export function checkQuotedPlaceholders(
  config: SqlConfig,
  names: readonly string[],
  report: Report,
): void {
  for (const { kind, start, text } of readTokens(config.query.value) ?? []) {
    if (kind !== "constant") continue;
    for (const { 0: written, index } of text.matchAll(/(?<![:\w]):[A-Za-z_]\w*/g)) {
      const name = written.slice(1);
      if (!names.includes(name)) continue;
      const at = { start: start + index, end: start + index + written.length };
      report.add({
        code: "sql/literal-parameter",
        span: within(config, at),
        message: `\`${shown(written)}\` is text here, and not the parameter of that name`,
        help: `close the quotes around it: \`'%' || ${shown(written)} || '%'\``,
      });
    }
  }
}
