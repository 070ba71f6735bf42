import type { UnratedDiagnostic } from "../core/diagnostic.js";
import { quote, shown } from "../core/names.js";
import type { CredentialUse, SchemaModel, ToolModel } from "../core/skill-model.js";
import { type JsonType, lookUp, propertyNames } from "../schema/look-up.js";
import { didYouMean } from "../schema/suggestion.js";
import { typeWords } from "./type-words.js";

/** A problem of a reference to a parameter. */
export interface ReferenceProblem {
  readonly message: string;
  readonly help: string | undefined;
  /**
   * Set if no parameter has the name or a similar one, so that the author may have meant any other.
   */
  readonly stranger?: string;
}

/** Reason why a path names no parameter or field of one; undefined if it does. */
export function referenceProblem(
  tool: ToolModel,
  path: readonly string[],
): ReferenceProblem | undefined {
  const whole = path.join(".");
  const isDotted = path.length > 1 && propertyNames(tool.parameters, []).includes(whole);
  const [first = "", ...fields] = path;
  const names = propertyNames(tool.parameters, []);
  if (!names.includes(first) && isDotted) return dottedParameter(whole);
  if (!names.includes(first)) return noParameter(tool, first, names);
  return fields.length === 0 ? undefined : fieldProblem(tool.parameters, path, [], { start: 1 });
}

interface FieldOptions {
  readonly start?: number;
  readonly written?: ((path: string) => string) | undefined;
}

/** Writes a reference as a placeholder. */
export function inBraces(path: string): string {
  return `{${path}}`;
}

/**
 * Reason why a path leads to no place that the schema declares; undefined if it does.
 *
 * @param owner start of the path, as an author names it
 * @param options `start`: number of steps that are known to be valid; `written`: how an author
 * writes a reference, with braces by default
 */
export function fieldProblem(
  schema: SchemaModel,
  path: readonly string[],
  owner: readonly string[],
  { start = 0, written = inBraces }: FieldOptions = {},
): ReferenceProblem | undefined {
  for (const [index, name] of path.entries()) {
    if (index < start) continue;
    const above = path.slice(0, index);
    const names = propertyNames(schema, above);
    const shownOwner = `\`${shown([...owner, ...above].join("."))}\``;
    const others = lookUp(schema, above).types.filter(
      (type) => type !== "object" && type !== "null",
    );
    if (others.length > 0)
      return notAnObject(shownOwner, others, names.length === 0 ? written : undefined);
    const isMap = names.length === 0 && isKnown(schema, [...above, name]);
    if (!names.includes(name) && !isMap) return noField(shownOwner, name, names);
  }
  return undefined;
}

/** Checks if the schema describes a field that it doesn't name: the value of a map. */
function isKnown(schema: SchemaModel, path: readonly string[]): boolean {
  const { known, presence } = lookUp(schema, path);
  return known && presence !== "never";
}

/** Checks if a placeholder can name the parameter: a name with a dot would be read as a field. */
export function canBeNamed(name: string): boolean {
  return name !== "" && name === name.trim() && !/[.{}]/.test(name);
}

function dottedParameter(name: string): ReferenceProblem {
  const message = `${quote(name)} is a parameter with a dot in its name, but a placeholder would read a field there`;
  return { message, help: "rename the parameter, or list it under `unused`" };
}

/** Describes a name that is not a parameter of the tool. */
export function noParameter(
  tool: ToolModel,
  name: string,
  names: readonly string[],
): ReferenceProblem {
  const message = `${quote(name)} is not a parameter of ${quote(tool.name)}`;
  const nearest = didYouMean(name, names);
  if (nearest !== undefined) return { message, help: nearest };
  if (/[\s"':,]/.test(name)) return { message, help: "for literal braces write `{{` and `}}`" };
  return { message, help: listed("its parameters are", names), stranger: name };
}

function noField(owner: string, name: string, names: readonly string[]): ReferenceProblem {
  return {
    message: `${owner} declares no field ${quote(name)}`,
    help:
      didYouMean(name, names) ?? listed("its fields are", names) ?? "declare it under `properties`",
  };
}

function notAnObject(
  owner: string,
  types: readonly JsonType[],
  written: FieldOptions["written"],
): ReferenceProblem {
  const help = written && `write \`${written(owner.slice(1, -1))}\` for the value itself`;
  return { message: `${owner} may be ${typeWords(types)}, which has no fields`, help };
}

function listed(lead: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `${lead} ${names.slice(0, 8).map(quote).join(", ")}${names.length > 8 ? ", …" : ""}`;
}

/**
 * Checks if a credential has the name of a parameter: a superfluous `$` would make it a setting.
 */
export function isParameter(parameters: SchemaModel, { name }: CredentialUse): boolean {
  return propertyNames(parameters, []).includes(name);
}

/** Diagnostic for `${title}` if `title` is a parameter. */
export function parameterAsCredential(
  kind: string,
  { name, span }: CredentialUse,
): UnratedDiagnostic {
  return {
    code: `${kind}/parameter-as-credential`,
    span,
    message: `${quote(name)} is a parameter, but \`\${${shown(name)}}\` names a credential`,
    help: `write \`{${shown(name)}}\``,
  };
}
