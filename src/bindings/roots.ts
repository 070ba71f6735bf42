import type { Report } from "../core/report.js";
import type { SchemaModel } from "../core/skill-model.js";
import type { Span } from "../core/span.js";
import { fieldProblem } from "./reference-problems.js";
import type { TemplateRoot, TextPart } from "./text-template.js";

/** A place in the value of a root that a binding refers to: `{result.id}`. */
export interface RootReference {
  readonly root: string;
  readonly path: readonly string[];
  readonly span: Span;
}

/** What the parts refer to in the values of roots. */
export function rootsIn(parts: readonly TextPart<string>[]): readonly RootReference[] {
  return parts.flatMap((part) =>
    part.kind === "root" ? [{ root: part.root, path: part.path, span: part.span }] : [],
  );
}

/** A binding kind, as far as its roots are concerned. */
interface RootedKind {
  readonly type: string;
  readonly roots?: readonly TemplateRoot[];
}

/** Every reference leads to a place that its root declares. */
export function checkRoots(
  { roots, type }: RootedKind,
  references: readonly RootReference[],
  report: Report,
): void {
  for (const { path, root, span } of references) {
    const problem = fieldProblem(schemaOf(roots, root), path, [root]);
    if (problem === undefined) continue;
    const { message, help } = problem;
    report.add({ code: `${type}/unknown-root-field`, span, message, help });
  }
}

/**
 * @throws for a root that the kind doesn't have: then its templates are parsed with others than it
 *   declares
 */
function schemaOf(roots: readonly TemplateRoot[] = [], name: string): SchemaModel {
  const found = roots.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no root ${name}`);
  return found.schema;
}
