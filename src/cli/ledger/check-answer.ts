/** Checks the answer with which a person settles a step of a plan. */
import { withWholeSchemas } from "../../compiler/compare-tools/whole-schemas.js";
import { isJsonObject, type JsonSchema, type JsonValue } from "../../core/json.js";
import { valueChecker, type ValueProblem } from "../../schema/check-value.js";
import { below } from "../../schema/pointer.js";
import { outputCatalog, textAt } from "../commands/generated-tools.js";
import { printable } from "./console-style.js";
import type { Failure } from "./commands.js";

/** The step that is settled. */
export interface SettledStep {
  /** Id of the tool: `skill/tool`. */
  readonly tool: string;
  /** False if nothing in the plan reads the answer's data. */
  readonly isRead: boolean;
}

/** Where the generated tools are. */
export interface ToolsPlace {
  /** Path of the project's folder. */
  readonly root: string;
  /** Path of the output folder below it. */
  readonly out: string;
}

/** Result of a check: a failure, or a note for the user if nothing could check the answer. */
export type CheckedAnswer = { readonly failure: Failure } | { readonly note?: string };

/**
 * Checks an answer against the schema of its tool's result, as the generated catalog has it.
 *
 * @param answer data of the answer; undefined if the user gave none
 * @throws CommandFailure if there is no catalog
 */
export function checkAnswer(
  { out, root }: ToolsPlace,
  { isRead, tool }: SettledStep,
  answer: JsonValue | undefined,
): CheckedAnswer {
  const name = `\`${printable(tool, 80)}\``;
  const entry = toolIn({ out, root }, tool);
  if (entry === undefined)
    return {
      failure: {
        message: `there is no tool ${name} in \`${out}/\`, so its answer can't be checked`,
        help: "run `skillc generate` with the tools that the run began with",
      },
    };
  const schema = entry["output_schema"] ?? undefined;
  if (answer === undefined)
    return schema !== undefined || isRead ? { failure: needsAnswer(name) } : {};
  // The catalog has JSON Schemas.
  const problems = schema === undefined ? undefined : problemsOf(schema as JsonSchema, answer);
  if (problems === undefined)
    return { note: `${name} declares no schema of its result, so \`--answer\` was not checked` };
  return problems.length === 0 ? {} : { failure: misfit(name, problems) };
}

function toolIn({ out, root }: ToolsPlace, id: string) {
  for (const { $defs, tools } of outputCatalog(root, out).skills) {
    const found = tools.find((each) => textAt(each, "id") === id);
    if (found !== undefined)
      return withWholeSchemas(found, isJsonObject($defs) ? $defs : undefined);
  }
  return undefined;
}

function problemsOf(schema: JsonSchema, answer: JsonValue): readonly ValueProblem[] {
  const span = { file: "catalog.ts", start: 0, end: 0 };
  return valueChecker({ kind: "schema", schema, span, places: {} }, "stated")(answer);
}

function needsAnswer(tool: string): Failure {
  return {
    message: `${tool} was done as a step of a plan, which needs its answer`,
    help: 'add the `data` of the tool\'s result as JSON: `--answer \'{"id": "ord_1001"}\'`, or `--answer @answer.json`',
  };
}

/** Maximum number of problems in a message. */
const maxProblems = 5;

function misfit(tool: string, problems: readonly ValueProblem[]): Failure {
  const shown = problems.slice(0, maxProblems).map(({ message, path }) => {
    const place = path.length === 0 ? "the answer" : `\`${printable(below("", ...path), 200)}\``;
    return `${place} ${printable(message, 200)}`;
  });
  const more = problems.length - shown.length;
  const all = more > 0 ? [...shown, `and ${more} more`] : shown;
  return {
    message: `\`--answer\` doesn't fit the schema of the result of ${tool}: ${all.join("; ")}`,
    help: "nothing was recorded; the answer is the `data` of the tool's result",
  };
}
