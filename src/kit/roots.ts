import { quote, shown } from "../core/names.js";
import type { Report } from "../core/report.js";
import type { ParameterReference, SchemaModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { propertyNames } from "../schema/look-up.js";
import { fieldProblem, inBraces, type ReferenceProblem } from "./reference-problems.js";
import type { TemplateRoot, TextPart } from "./text-template.js";
import { placeOfParameter } from "./unused-parameters.js";

/** A reference to a place in the value of a root: `{result.id}`. */
export interface RootReference {
  /** Name of the root: `result`. */
  readonly root: string;
  /** Names of the fields below the root, outermost first. */
  readonly path: readonly string[];
  /** Place of the reference in the author's file. */
  readonly span: Span;
}

/** The references of the parts to values of roots. */
export function rootsIn(parts: readonly TextPart<string>[]): readonly RootReference[] {
  return parts.flatMap((part) =>
    part.kind === "root" ? [{ root: part.root, path: part.path, span: part.span }] : [],
  );
}

/** The parts of a binding kind that concern its roots. */
interface RootedKind {
  readonly type: string;
  readonly roots?: readonly TemplateRoot[];
}

/**
 * Checks that every reference leads to a path that its root declares, and is unambiguous.
 *
 * @returns references to the parameters that may have been meant; they count as used
 */
export function checkRoots(
  { roots = [], type }: RootedKind,
  references: readonly RootReference[],
  parameters: SchemaModel,
  report: Report,
): readonly ParameterReference[] {
  const names = propertyNames(parameters, []);
  return references.flatMap(({ path, root, span }) => {
    const found = rootOf(roots, root);
    const written = found.isBare === true ? String : inBraces;
    if (names.includes(root)) {
      report.add({
        code: `${type}/ambiguous-reference`,
        span,
        message: `\`${written(shown([root, ...path].join(".")))}\` doesn't refer to the tool's parameter ${quote(root)}`,
        help: `rename the parameter: \`${written(`${root}…`)}\` never refers to it`,
        related: [{ span: placeOfParameter(parameters, root), message: "the parameter" }],
      });
      return [{ path: [root], span }];
    }
    const problem = problemOf(found, path, written);
    if (problem !== undefined) {
      const { message, help } = problem;
      report.add({ code: `${type}/unknown-root-field`, span, message, help });
    }
    return [];
  });
}

function problemOf(
  { hasOnlyFields, name, schema }: TemplateRoot,
  path: readonly string[],
  written: (path: string) => string,
): ReferenceProblem | undefined {
  if (path.length > 0 || hasOnlyFields !== true)
    return fieldProblem(schema, path, [name], { written });
  const fields = propertyNames(schema, []);
  return {
    message: `${quote(name)} alone is not a value`,
    help: `name one of its fields: ${fields.map((each) => `\`${written(`${name}.${each}`)}\``).join(", ")}`,
  };
}

/**
 * Finds a root.
 *
 * @throws Error if the kind doesn't have the root: its templates are then parsed with other roots
 * than it declares
 */
function rootOf(roots: readonly TemplateRoot[], name: string): TemplateRoot {
  const found = roots.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no root ${name}`);
  return found;
}
