import type { ParameterReference } from "../../core/skill-model.js";
import type { AnalyzedBinding } from "../../kit/kind-engine.js";
import { checkPlaceholders } from "./check/check-placeholders.js";
import { describeStatement } from "./describe/describe.js";
import type { StatementInput } from "./describe/input.js";
import { type SqlConfig, within } from "./model.js";
import { rootPath } from "./sources.js";
import { loadParser } from "./statement/lexer.js";
import { parseStatement } from "./statement/parse.js";
import type { Statement, StatementDiagnostic } from "./statement/statement.js";

/**
 * Parses a tool's statement, and asks PostgreSQL what it means. Undefined, and reported, when it
 * means nothing; its placeholders are then compared with the parameters all the same.
 */
export async function analyzeStatement(
  input: StatementInput,
): Promise<AnalyzedBinding<SqlConfig> | undefined> {
  const { config, report, tool } = input;
  await loadParser();
  const parsed = parseStatement(config.query.value);
  if (parsed.kind === "invalid") {
    for (const each of parsed.diagnostics) reportDiagnostic(each, input);
    return undefined;
  }
  // Those that a text of the binding may have meant count too.
  const references = [...tool.binding.references, ...referencesIn(parsed.statement, config)];
  const { database } = input;
  const statement = database && (await describeStatement(parsed.statement, { ...input, database }));
  if (statement !== undefined) return { config: { ...config, statement }, references };
  const names = parsed.statement.placeholders.map(({ name }) => name);
  checkPlaceholders(tool, config, { names, references }, report);
  return undefined;
}

function reportDiagnostic(
  { at, help, kind, message }: StatementDiagnostic,
  input: StatementInput,
): void {
  const { config, report } = input;
  const written = config.query.value.slice(at.start, at.end);
  report.add({
    code: `sql/${kind}`,
    span: within(config, at),
    // The parser saw a number there.
    message: message.replace(/(?<=at or near )"\$\d+"/, `"${written}"`),
    ...(help && { help }),
  });
}

/** Each placeholder as a reference to the parameter that it takes its value from. */
function referencesIn(statement: Statement, config: SqlConfig): readonly ParameterReference[] {
  return statement.placeholders.flatMap(({ name, at }) => {
    const mapped = config.mapping.find(({ placeholder }) => placeholder === name);
    // What the caller gives is no parameter's.
    if (mapped !== undefined && rootPath(mapped.parameter) !== undefined) return [];
    if (mapped !== undefined) return [{ path: [mapped.parameter], span: mapped.span }];
    return at.map((range) => ({ path: [name], span: within(config, range) }));
  });
}
