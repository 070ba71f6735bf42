import { quote, shown } from "../../core/names.js";
import type { LinkedArgument, ReadArgument } from "../../core/rollback-model.js";
import type { SchemaModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import { type MapEntry, type MapNode, type SyntaxNode, toJson } from "../../core/syntax-node.js";
import {
  literalText,
  parseTemplate,
  type TemplateLanguage,
  type TextNode,
  textNode,
} from "../../kit/text-template.js";
import { tokensOf } from "../../kit/template-tokens.js";
import type { UnlinkedTool } from "../../kit/project-tools.js";
import { referenceProblem } from "../../kit/reference-problems.js";
import { checkFit, checkLiteral, type Target } from "../../kit/sources/fit.js";
import { followPath, type PathFacts } from "../../kit/sources/follow-path.js";
import { stepsOfPath } from "../../kit/sources/path-steps.js";
import type { SchemaPlace } from "../../schema/certain-mismatches.js";
import { propertyNames, statesOthers } from "../../schema/look-up.js";
import { didYouMeanOrListed } from "../../schema/suggestion.js";
import { unquotedPlaceholder } from "../../schema/unquoted-placeholder.js";
import { type Compensated, parametersOrigin, resultOrigin, targetOf } from "./call-values.js";

/** Reads `parameters` of a compensation. A value with a mistake is reported and left out. */
export function readArguments(
  { entries }: MapNode,
  other: UnlinkedTool,
  own: Compensated,
): readonly LinkedArgument[] {
  return entries.flatMap((entry) => {
    const isKnown = checkName(entry, other, own);
    const target = isKnown ? targetOf(other, entry.key.value) : undefined;
    const value = readArgument(entry.value, target, own);
    return value ? [{ name: entry.key.value, span: entry.key.span, value }] : [];
  });
}

/** Checks that the other tool has the parameter. */
function checkName(
  { key: { span, value: name } }: MapEntry,
  { id, tool: { parameters } }: UnlinkedTool,
  { report }: Compensated,
): boolean {
  const names = propertyNames(parameters, [], "input");
  if (names.includes(name)) return true;
  if (!statesOthers(parameters, "input"))
    report.add({
      code: "rollback/unknown-argument",
      span,
      message: `${quote(id)} has no parameter ${quote(name)}`,
      help: didYouMeanOrListed(name, names, "its parameters are") ?? "remove it",
    });
  return false;
}

function readArgument(
  node: SyntaxNode,
  target: Target | undefined,
  own: Compensated,
): LinkedArgument["value"] | undefined {
  const text = textNode(node);
  if (text !== undefined) return readText(text, target, own);
  const unquoted = unquotedPlaceholder(node);
  const { span } = node;
  if (unquoted !== undefined) {
    const { help, message } = unquoted;
    own.report.add({ code: "rollback/bad-placeholder", span, message, help });
    return undefined;
  }
  const inner = placeholderIn(node);
  if (inner !== undefined) {
    own.report.add(nested(inner));
    return undefined;
  }
  return literalArgument(toJson(node), span, target, own);
}

/** A text with placeholders inside a list or a mapping. */
function placeholderIn(node: SyntaxNode): TextNode | undefined {
  const text = textNode(node);
  if (text !== undefined) {
    const isLiteral = [...tokensOf(text.value)].every(({ literal }) => literal !== undefined);
    return isLiteral ? undefined : text;
  }
  const parts =
    node.kind === "map"
      ? node.entries.map(({ value }) => value)
      : node.kind === "list"
        ? node.items
        : [];
  return parts.map(placeholderIn).find((each) => each !== undefined);
}

function nested({ span, value }: TextNode) {
  return {
    code: "rollback/bad-placeholder",
    span,
    message: `${quote(shown(value))} is inside a list or a mapping, where only fixed values can be`,
    help: 'give the whole parameter one value: `lines: "{lines}"`',
  } as const;
}

function literalArgument(
  value: ReturnType<typeof toJson>,
  span: Span,
  target: Target | undefined,
  { report }: Compensated,
): LinkedArgument["value"] {
  const literal = { kind: "literal", value, span } as const;
  if (target) checkLiteral(literal, target, report);
  return literal;
}

/** `parseTemplate` only looks at the name of a root. */
const result = {
  name: "result",
  schema: { kind: "schema", schema: true, span: { file: "", start: 0, end: 0 }, places: {} },
} as const;
const language: TemplateLanguage<"result"> = { kind: "rollback", roots: [result] };

function readText(
  node: TextNode,
  target: Target | undefined,
  own: Compensated,
): LinkedArgument["value"] | undefined {
  const { span } = node;
  const template = parseTemplate(node, language, own.report);
  const { parts, whole } = template;
  if (!whole) return undefined;
  const fixed = literalText(template);
  if (fixed !== undefined) return literalArgument(fixed, span, target, own);
  const read = parts.map((part) =>
    part.kind === "literal"
      ? part.text
      : part.kind === "credential"
        ? noSetting(part, own)
        : readPart(part, own),
  );
  if (read.some((each) => each === undefined)) return undefined;
  const [only] = read;
  if (read.length === 1 && typeof only === "object") {
    if (target)
      checkFit({ text: only.text, span: only.value.span }, only.facts, target, own.report);
    return only.value;
  }
  return textOfParts(
    read.filter((each) => each !== undefined),
    { span, target, own },
  );
}

function noSetting(
  { name, span }: { readonly name: string; readonly span: Span },
  { report }: Compensated,
): undefined {
  report.add({
    code: "rollback/bad-placeholder",
    span,
    message: `the parameters of another tool can't contain the setting \`\${${name}}\``,
    help: "write a fixed value, `{name}` for a parameter of the call, or `{result.id}` for a field of its result",
  });
}

/** A value that is read, with what its schemas say. */
interface Read {
  readonly value: ReadArgument;
  readonly text: string;
  readonly facts: PathFacts;
}

function readPart(
  part: {
    readonly kind: "parameter" | "root";
    readonly path: readonly string[];
    readonly span: Span;
  },
  own: Compensated,
): Read | undefined {
  const { report } = own;
  const { path, span } = part;
  const from = part.kind === "root" ? "result" : "params";
  const written = path.join(".");
  const text = from === "params" ? written : path.length === 0 ? "result" : `result.${written}`;
  const steps = path.length === 0 ? [] : stepsOfPath(written);
  if (steps === undefined) {
    report.add({
      code: "rollback/bad-placeholder",
      span,
      message: `${quote(shown(text))} is not a path`,
      help: "write names with dots between them, such as `{result.order.id}`",
    });
    return undefined;
  }
  const [first] = steps;
  const problem = from === "params" ? referenceProblem(own.tool, [String(first)]) : undefined;
  if (problem !== undefined) {
    const help = problem.help ?? "name a parameter of the call, or `{result.FIELD}`";
    report.add({ code: "rollback/unknown-parameter", span, message: problem.message, help });
    return undefined;
  }
  if (from === "result" && own.answers === undefined) return undefined;
  const origin = from === "params" ? parametersOrigin(own.tool) : resultOrigin(own);
  if (origin === undefined) {
    report.add(noResult(span, own));
    return undefined;
  }
  const facts = followPath(origin, steps);
  if ("message" in facts) {
    report.add({ code: "rollback/unknown-field", span, ...facts });
    return undefined;
  }
  if (facts.mayBeAbsent || facts.dropsAbsent) {
    report.add(mayBeAbsent(text, span));
    return undefined;
  }
  return { value: { kind: "read", from, steps: facts.steps, span }, text, facts };
}

function noResult(span: Span, { isStream, tool }: Compensated) {
  return {
    code: "rollback/unknown-result",
    span,
    message: isStream
      ? `the result of ${quote(tool.name)} is a stream or one of several pages, which no parameter can take`
      : `nothing says what ${quote(tool.name)} returns`,
    help: isStream
      ? "use parameters of the call: `{name}`"
      : "declare `returns` in the tool, or use parameters of the call: `{name}`",
  } as const;
}

function mayBeAbsent(text: string, span: Span) {
  return {
    code: "rollback/maybe-absent",
    span,
    message: `${quote(text)} may be absent: a part of its path is optional or may be null`,
    help: "list the part under `required` of its schema, and let it not be null; or write another value",
  } as const;
}

function textOfParts(
  read: readonly (string | Read)[],
  {
    own: { report },
    span,
    target,
  }: { readonly span: Span; readonly target: Target | undefined; readonly own: Compensated },
): LinkedArgument["value"] | undefined {
  const broad = read.find(
    (each) => typeof each === "object" && !each.facts.types.every(isScalarType),
  );
  if (typeof broad === "object") {
    report.add({
      code: "rollback/bad-placeholder",
      span: broad.value.span,
      message: `${quote(broad.text)} is not a single text, number or boolean, so no text can be made around it`,
      help: "write the placeholder alone, or name a single value",
    });
    return undefined;
  }
  const model: SchemaModel = { kind: "schema", schema: { type: "string" }, span, places: {} };
  const place: SchemaPlace = { model, at: [] };
  if (target) checkFit({ text: "this text", span }, { places: [place] }, target, report);
  return {
    kind: "text",
    parts: read.map((each) => (typeof each === "string" ? each : each.value)),
    span,
  };
}

function isScalarType(type: string): boolean {
  return ["string", "number", "integer", "boolean"].includes(type);
}
