import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { CredentialUse, ParameterReference, ToolModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { lookUp, propertyNames, type ValueFacts } from "../schema/look-up.js";
import { nearestName, suggestion } from "../schema/suggestion.js";
import {
  canBeNamed,
  referenceProblem,
  isParameter,
  parameterAsCredential,
  type ReferenceProblem,
} from "./reference-problems.js";
import type { TemplateRoot, TextPart } from "./text-template.js";
import { checkUnusedList, idleParameters, reportIdle, type WhyIdle } from "./unused-parameters.js";

/** Returns the references to parameters in the parts. */
export function parametersIn(parts: readonly TextPart<string>[]): readonly ParameterReference[] {
  return parts.flatMap((part) =>
    part.kind === "parameter" ? [{ path: part.path, span: part.span }] : [],
  );
}

/** Returns the credentials in the parts. */
export function credentialsIn(parts: readonly TextPart<string>[]): readonly CredentialUse[] {
  return parts.flatMap((part) =>
    part.kind === "credential" ? [{ name: part.name, span: part.span }] : [],
  );
}

/**
 * Facts about the value of a reference, after defaults are filled in. Undefined if the reference is
 * invalid, which `checkCoverage` reports.
 */
export function factsOf(tool: ToolModel, reference: ParameterReference): ValueFacts | undefined {
  return referenceProblem(tool, reference.path) === undefined
    ? lookUp(tool.parameters, reference.path)
    : undefined;
}

/** How a binding uses the parameters of its tool. */
export interface Coverage {
  /** Name of the binding kind; codes are `<kind>/…`. */
  readonly kind: string;
  /** References of the binding to parameters. */
  readonly references: readonly ParameterReference[];
  /** False if a damaged placeholder may hide a use. Unused parameters are then not reported. */
  readonly whole: boolean;
  /** True if the request carries the parameters without a reference. */
  readonly sendsRest: boolean;
  /** Further names that texts may refer to; no parameter can be named like one of them. */
  readonly roots?: readonly TemplateRoot[];
  /** Form of a reference to a parameter; `{name}` if absent. */
  readonly written?: (name: string) => string;
  /** Texts between doubled braces, which are literal: `q` for `{{q}}`. Empty if absent. */
  readonly betweenBraces?: readonly string[];
  /** Suggests a declaration for a missing parameter. */
  readonly declared?: (name: string) => string;
  /** Reason why a parameter isn't used, if the binding knows one. */
  readonly whyIdle?: (name: string) => WhyIdle | undefined;
}

/**
 * Checks that every reference names a parameter, and that every parameter is either used or listed
 * in `unused`.
 */
export function checkCoverage(tool: ToolModel, coverage: Coverage, report: Report): void {
  const { kind, references } = coverage;
  const mistaken = tool.binding.credentials.filter((use) => isParameter(tool.parameters, use));
  for (const use of mistaken) report.add(parameterAsCredential(kind, use));
  const uses = new Map(references.map(({ path, span }) => [path[0] ?? "", span]));
  checkUnusedList(tool, uses, kind, report);
  const invalid = invalidReferences(tool, coverage);
  // A parameter named `a.b` can't be referred to as `{a.b}`; report that only once.
  const dotted = references
    .filter(({ path }) => referenceProblem(tool, path) !== undefined)
    .map(({ path }) => path.join("."));
  const used = new Set([...uses.keys(), ...dotted, ...mistaken.map(({ name }) => name)]);
  const written = invalid.map(({ name }) => name);
  const missesNothing = coverage.sendsRest || !coverage.whole;
  const idle = missesNothing ? [] : idleParameters(tool, used, written);
  const meant = onlyMeaning(invalid, idle);
  for (const { span, message, help, stranger } of invalid) {
    const better =
      stranger === undefined
        ? undefined
        : (meantHelp(meant) ?? ofRoot(coverage, stranger) ?? joined(help, coverage, stranger));
    report.add({ code: `${kind}/unknown-parameter`, span, message, help: better ?? help });
  }
  for (const name of idle.filter((each) => each !== meant)) {
    const isBetweenBraces = coverage.betweenBraces?.includes(name) ?? false;
    reportIdle(tool, name, { ...coverage, isBetweenBraces }, report);
  }
}

/** Parameters that are neither referred to nor declared as unused, in declaration order. */
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

interface InvalidReference extends ReferenceProblem {
  readonly name: string;
  readonly span: Span;
}

function invalidReferences(
  tool: ToolModel,
  { references, roots }: Coverage,
): readonly InvalidReference[] {
  return references.flatMap(({ path, span }) => {
    const problem = referenceProblem(tool, path);
    if (problem === undefined) return [];
    const { message, stranger } = problem;
    const help = stranger === undefined ? undefined : misspeltRoot(path, roots);
    // The field of a root was meant, so don't suggest a parameter.
    const diagnostic = help === undefined ? problem : { message, help };
    return [{ ...diagnostic, name: path[0] ?? "", span }];
  });
}

/** The intended root, if the owner of a field is a misspelt root: `{caler.tenant}`. */
export function misspeltRoot(
  [owner = "", ...fields]: readonly string[],
  roots: readonly Pick<TemplateRoot, "name">[] = [],
): string | undefined {
  if (fields.length === 0) return undefined;
  const names = roots.map(({ name }) => name);
  const meant = nearestName(owner, names);
  return meant && suggestion(`{${[meant, ...fields].join(".")}}`);
}

/**
 * The only unused parameter, if there is also only one invalid placeholder: the two are then one
 * problem.
 */
function onlyMeaning(
  invalid: readonly InvalidReference[],
  idle: readonly string[],
): string | undefined {
  const strangers = new Set(invalid.flatMap(({ stranger }) => stranger ?? []));
  const [only = "", ...others] = idle;
  return strangers.size === 1 && others.length === 0 && canBeNamed(only) ? only : undefined;
}

function joined(
  help: string | undefined,
  { declared }: Coverage,
  name: string,
): string | undefined {
  const declaring = declared?.(name);
  return help && declaring ? `${help}; ${declaring}` : (declaring ?? help);
}

/** Returns help for the field of a root that is named without the root. */
function ofRoot({ roots = [] }: Coverage, name: string): string | undefined {
  const owner = roots.find(({ schema }) => propertyNames(schema, []).includes(name));
  return owner && `write \`{${owner.name}.${name}}\`, or declare the parameter`;
}

function meantHelp(name: string | undefined): string | undefined {
  return name && `did you mean ${quote(name)}? nothing else uses it`;
}
