import { posix } from "node:path";
import { compareText } from "../../core/report.js";
import type { SharedSchema } from "../../core/skill-model.js";
import type { SchemaForm } from "../../schema/form.js";

/** A shared schema in one form. */
export interface SharedUse {
  readonly shared: SharedSchema;
  readonly form: SchemaForm;
}

/** Path of the module below the output folder, without ending. */
export function moduleOf({ form, shared }: SharedUse): string {
  return form === "stated" ? shared.module : `${shared.module}.${form}`;
}

export function typeNameOf({ form, shared }: SharedUse): string {
  const suffix = form === "stated" ? "" : `${form.charAt(0).toUpperCase()}${form.slice(1)}`;
  return `${shared.typeName}${suffix}`;
}

/**
 * Specifier by which a module in the folder imports another one. Both are below the output folder.
 */
export function specifier(folder: string, path: string): string {
  const relative = posix.relative(folder, path);
  return relative.startsWith(".") ? relative : `./${relative}`;
}

/** Removes repeated uses, and sorts the others by their modules. */
export function distinctUses(uses: readonly SharedUse[]): readonly SharedUse[] {
  const byModule = new Map(uses.map((each) => [moduleOf(each), each]));
  return [...byModule].toSorted(([a], [b]) => compareText(a, b)).map(([, each]) => each);
}
