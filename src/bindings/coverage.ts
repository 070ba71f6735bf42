import { getOwn } from "../core/json.js";
import { shown } from "../core/names.js";
import type { Report } from "../core/report.js";
import type {
  CredentialUse,
  ParameterReference,
  SchemaModel,
  ToolModel,
} from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { type JsonType, lookUp, propertyNames, type ValueFacts } from "../schema/look-up.js";
import { below } from "../schema/pointer.js";
import { didYouMean } from "../schema/suggestion.js";
import { type TextPart } from "./text-template.js";
import { typeWords } from "./type-words.js";

/** The parameters that the parts refer to. */
export function parametersIn(parts: readonly TextPart[]): readonly ParameterReference[] {
  return parts.flatMap((part) =>
    part.kind === "parameter" ? [{ path: part.path, span: part.span }] : [],
  );
}

/** The credentials that the parts refer to. */
export function credentialsIn(parts: readonly TextPart[]): readonly CredentialUse[] {
  return parts.flatMap((part) =>
    part.kind === "credential" ? [{ name: part.name, span: part.span }] : [],
  );
}

/**
 * What the schema says of the value that a reference names, defaults filled in; undefined when the reference names none, which
 * `checkCoverage` reports.
 */
export function factsOf(tool: ToolModel, reference: ParameterReference): ValueFacts | undefined {
  return faultIn(tool, reference.path) === undefined
    ? lookUp(tool.parameters, reference.path)
    : undefined;
}

/** What a binding does with the parameters of its tool. */
export interface Coverage {
  /** The binding kind's name: codes are `<kind>/…`. */
  readonly kind: string;
  readonly references: readonly ParameterReference[];
  /** False when a damaged placeholder hides a use: then none is missed. */
  readonly whole: boolean;
  /** Whether the request carries the parameters that nothing refers to. */
  readonly sendsRest: boolean;
}

/** Every reference names a parameter, every parameter is used or said to be unused, and none is both. */
export function checkCoverage(tool: ToolModel, coverage: Coverage, report: Report): void {
  const unknown: string[] = [];
  for (const { path, span } of coverage.references) {
    const fault = faultIn(tool, path);
    if (fault === undefined) continue;
    report.add({ code: `${coverage.kind}/unknown-parameter`, span, ...fault });
    unknown.push(path[0] ?? "");
  }
  const uses = new Map(coverage.references.map(({ path, span }) => [path[0] ?? "", span]));
  checkUnusedList(tool, uses, coverage.kind, report);
  if (!coverage.whole || coverage.sendsRest) return;
  // A misspelt name is one fault, not two.
  const isMeant = (name: string) => unknown.some((written) => didYouMean(written, [name]));
  checkEachReaches(tool, (name) => uses.has(name) || isMeant(name), coverage.kind, report);
}

/** The parameters that are neither referred to nor said to be unused, in the order of their declaration. */
export function restOfParameters(
  tool: ToolModel,
  references: readonly ParameterReference[],
): readonly string[] {
  const gone = new Set([
    ...references.map(({ path }) => path[0]),
    ...tool.unused.map(({ name }) => name),
  ]);
  return propertyNames(tool.parameters, []).filter((name) => !gone.has(name));
}

/** Where a parameter is declared, or the whole schema when that place is not known. */
export function placeOfParameter(parameters: SchemaModel, name: string): Span {
  return getOwn(parameters.places, below("/properties", name)) ?? parameters.span;
}

interface Fault {
  readonly message: string;
  readonly help: string | undefined;
}

function faultIn(tool: ToolModel, path: readonly string[]): Fault | undefined {
  for (const [index, name] of path.entries()) {
    const above = path.slice(0, index);
    const names = propertyNames(tool.parameters, above);
    if (index === 0) {
      if (!names.includes(name)) return noParameter(tool, name, names);
      continue;
    }
    const owner = `\`${shown(above.join("."))}\``;
    const others = lookUp(tool.parameters, above).types.filter(
      (type) => type !== "object" && type !== "null",
    );
    if (others.length > 0) return notAnObject(owner, others, names);
    const isMap = names.length === 0 && isKnown(tool, [...above, name]);
    if (!names.includes(name) && !isMap) return noField(owner, name, names);
  }
  return undefined;
}

/** Whether the schema says something of a field that it doesn't name: the value of a map. */
function isKnown(tool: ToolModel, path: readonly string[]): boolean {
  const { known, presence } = lookUp(tool.parameters, path);
  return known && presence !== "never";
}

function noParameter(tool: ToolModel, name: string, names: readonly string[]): Fault {
  const literal = /[\s"':,]/.test(name) ? "for literal braces write `{{` and `}}`" : undefined;
  return {
    message: `\`${shown(name)}\` is not a parameter of \`${shown(tool.name)}\``,
    help: didYouMean(name, names) ?? literal ?? listed("its parameters are", names),
  };
}

function noField(owner: string, name: string, names: readonly string[]): Fault {
  return {
    message: `${owner} declares no field \`${shown(name)}\``,
    help:
      didYouMean(name, names) ?? listed("its fields are", names) ?? "declare it under `properties`",
  };
}

function notAnObject(owner: string, types: readonly JsonType[], names: readonly string[]): Fault {
  const help =
    names.length === 0 ? `write \`{${owner.slice(1, -1)}}\` for the value itself` : undefined;
  return { message: `${owner} may be ${typeWords(types)}, which has no fields`, help };
}

function listed(lead: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const first = names.slice(0, 8).map((name) => `\`${shown(name)}\``);
  return `${lead} ${first.join(", ")}${names.length > 8 ? ", …" : ""}`;
}

function checkUnusedList(
  tool: ToolModel,
  uses: ReadonlyMap<string, Span>,
  kind: string,
  report: Report,
): void {
  const names = propertyNames(tool.parameters, []);
  for (const { name, span } of tool.unused) {
    const use = uses.get(name);
    if (!names.includes(name)) {
      const { message, help } = noParameter(tool, name, names);
      report.add({ code: `${kind}/unknown-unused`, span, message, help });
    } else if (use !== undefined) {
      report.add({
        code: `${kind}/not-unused`,
        span,
        message: `\`${shown(name)}\` is listed as unused, but the binding uses it`,
        help: "remove it from `unused`",
        related: [{ span: use, message: "used here" }],
      });
    }
  }
}

function checkEachReaches(
  tool: ToolModel,
  isUsed: (name: string) => boolean,
  kind: string,
  report: Report,
): void {
  const unused = new Set(tool.unused.map(({ name }) => name));
  for (const name of propertyNames(tool.parameters, [])) {
    if (isUsed(name) || unused.has(name)) continue;
    report.add({
      code: `${kind}/unused-parameter`,
      span: placeOfParameter(tool.parameters, name),
      message: `\`${shown(name)}\` reaches nothing: the binding never uses it`,
      help: `write \`{${shown(name)}}\` where it belongs, or \`unused: [${shown(name)}]\` beside \`binding\``,
    });
  }
}
