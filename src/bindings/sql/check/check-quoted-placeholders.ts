import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { TextRange } from "../../../core/span.js";
import type { WhyIdle } from "../../unused-parameters.js";
import type { SqlConfig } from "../model.js";
import { within } from "../spans.js";
import { readTokens } from "../statement/lexer.js";

/** `'%:name%'`: in quotes a placeholder is text. One that stands nowhere else leaves a parameter without use, which is an error by itself. */
export function checkQuotedPlaceholders(
  config: SqlConfig,
  names: readonly string[],
  report: Report,
): void {
  for (const { at, name, ...quoted } of quotedPlaceholders(config)) {
    if (!names.includes(name)) continue;
    report.add({
      code: "sql/literal-parameter",
      span: within(config, at),
      message: `\`:${shown(name)}\` is text here, and not the parameter of that name`,
      help: helpFor({ at, name, ...quoted }),
    });
  }
}

/** Of a parameter whose placeholder stands in quotes alone. */
export function whyQuoted(config: SqlConfig, parameter: string): WhyIdle | undefined {
  const mapped = config.mapping.find((each) => each.parameter === parameter);
  const name = mapped?.placeholder ?? parameter;
  const quoted = quotedPlaceholders(config).find((each) => each.name === name);
  return (
    quoted && {
      reason: `\`:${shown(name)}\` stands in quotes, where it is text`,
      help: helpFor(quoted),
    }
  );
}

interface QuotedPlaceholder {
  /** Without the colon. */
  readonly name: string;
  readonly at: TextRange;
  /** Nothing else stands in the quotes. */
  readonly alone: boolean;
}

function quotedPlaceholders({ query }: SqlConfig): readonly QuotedPlaceholder[] {
  const constants = (readTokens(query.value) ?? []).filter(({ kind }) => kind === "constant");
  return constants.flatMap(({ start, text }) =>
    [...text.matchAll(/(?<![:\w]):[A-Za-z_]\w*/g)].map(({ 0: written, index }) => ({
      name: written.slice(1),
      at: { start: start + index, end: start + index + written.length },
      alone: text === `'${written}'`,
    })),
  );
}

function helpFor({ alone, name }: QuotedPlaceholder): string {
  const written = `:${shown(name)}`;
  return alone
    ? `leave the quotes out: \`${written}\``
    : `close the quotes around it: \`'%' || ${written} || '%'\``;
}
