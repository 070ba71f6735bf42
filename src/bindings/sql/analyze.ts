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
 * Parses a tool's statement and lets PostgreSQL describe it. If that fails, the function reports
 * why, still compares the placeholders with the parameters, and returns undefined.
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
  // Includes parameters that other texts of the binding refer to.
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
    // The parser's message quotes the number (`$1`) that replaced the placeholder.
    message: message.replace(/(?<=at or near )"\$\d+"/, `"${written}"`),
    ...(help && { help }),
  });
}

/** Returns each placeholder as a reference to the parameter that gives its value. */
function referencesIn(statement: Statement, config: SqlConfig): readonly ParameterReference[] {
  return statement.placeholders.flatMap(({ name, at }) => {
    const mapped = config.mapping.find(({ placeholder }) => placeholder === name);
    // A placeholder that takes a caller field refers to no parameter.
    if (mapped !== undefined && rootPath(mapped.parameter) !== undefined) return [];
    if (mapped !== undefined) return [{ path: [mapped.parameter], span: mapped.span }];
    return at.map((range) => ({ path: [name], span: within(config, range) }));
  });
}
