/** Source of a placeholder's value: its mapping, or else the parameter of the same name. */
import type { SchemaModel, ToolModel } from "../../core/skill-model.js";
import { callerRoot } from "../../kit/caller-root.js";
import type { RootReference } from "../../kit/roots.js";
import type { ValueSource, SqlConfig } from "./model.js";

export function sourceOf(
  placeholder: string,
  { mapping }: Pick<SqlConfig, "mapping">,
): ValueSource {
  return mapping.find((each) => each.placeholder === placeholder)?.parameter ?? placeholder;
}

/** Fields below a root that a source names; undefined for a parameter. */
export function rootPath(source: ValueSource): readonly string[] | undefined {
  const written = /^\{(?<path>.*)\}$/s.exec(source)?.groups?.["path"];
  return written?.split(".").slice(1);
}

/** Finds the schema that describes a source's values, and the path in that schema. */
export function placeOfSource(
  { parameters }: Pick<ToolModel, "parameters">,
  source: ValueSource,
): { readonly model: SchemaModel; readonly path: readonly string[] } {
  const path = rootPath(source);
  return path === undefined
    ? { model: parameters, path: [source] }
    : { model: callerRoot.schema, path };
}

/** References to the caller in the mapping. */
export function rootsOf({ mapping }: Pick<SqlConfig, "mapping">): readonly RootReference[] {
  return mapping.flatMap(({ parameter, span }) => {
    const path = rootPath(parameter);
    return path === undefined ? [] : [{ root: callerRoot.name, path, span }];
  });
}
