/**
 * Replaces `oneOf` by `anyOf` if a value may fit two of its alternatives. `oneOf` would reject such
 * a value, although the service may send it.
 */
import {
  getOwn,
  isJsonObject,
  type JsonSchema,
  type JsonValue,
  setOwn,
} from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import { disjointIn } from "../../../schema/compare/compare.js";
import { inSteps } from "../../../schema/compare/source.js";
import type { Note } from "../note.js";
import type { DocumentLocation } from "../read/document.js";
import { createOneDocument } from "./one-document.js";

export interface Alternatives {
  /** Remembers where the document has the alternatives of a converted `oneOf`. */
  readonly remember: (branches: readonly JsonValue[], at: DocumentLocation) => void;
  /**
   * Returns the schema with `anyOf` for each remembered `oneOf` with overlapping alternatives.
   *
   * @param folder prefix of the schema's references
   */
  settle(schema: JsonSchema, folder: string, note: (note: Note) => void): JsonSchema;
}

/** Maximum number of steps for all comparisons of an import. */
const maxSteps = 30_000_000;

/** @param schemaOf returns the schema of a component, whose references begin with `./` */
export function createAlternatives(
  schemaOf: (name: string) => JsonSchema | undefined,
): Alternatives {
  const places = new WeakMap<readonly JsonValue[], DocumentLocation>();
  const document = createOneDocument(schemaOf);
  const steps = { left: maxSteps };

  /** Names of two alternatives that may have a common value; undefined if there are none. */
  const overlap = (
    branches: readonly JsonSchema[],
    folder: string,
  ): readonly string[] | undefined => {
    const all = branches.map((each) => document.move(each, folder));
    const { disjoint } = disjointIn(document.root, document.root, steps);
    for (const [at, one] of all.entries())
      for (const [next, other] of all.slice(at + 1).entries()) {
        if (inSteps(() => disjoint(one, other), false)) continue;
        return [at, at + 1 + next].map((index) => nameOf(branches[index] ?? {}, index, folder));
      }
    return undefined;
  };

  return {
    remember: (branches, at) => void places.set(branches, at),
    settle(schema, folder, note) {
      const settled = (value: JsonValue): JsonValue => {
        if (Array.isArray(value)) return (value as readonly JsonValue[]).map(settled);
        if (!isJsonObject(value)) return value;
        const copy: Record<string, JsonValue> = {};
        for (const [key, each] of Object.entries(value)) {
          const at = key === "oneOf" && Array.isArray(each) ? places.get(each) : undefined;
          // The conversion remembers only lists of schemas.
          const pair = at && overlap(each as readonly JsonSchema[], folder);
          setOwn(copy, key, settled(each));
          if (at === undefined || pair === undefined) continue;
          const message = `one value may fit both ${pair.join(" and ")}, so the tool accepts a value that fits several alternatives of \`oneOf\``;
          note({ code: "import/taken-otherwise", at, message });
          delete copy["oneOf"];
          Object.assign(copy, asAnyOf(settled(each), value));
        }
        return copy;
      };
      // Other keywords of a schema make a schema.
      return settled(schema) as JsonSchema;
    },
  };
}

function asAnyOf(branches: JsonValue, { allOf, anyOf }: { readonly [key: string]: JsonValue }) {
  if (anyOf === undefined) return { anyOf: branches };
  return {
    allOf: [...(Array.isArray(allOf) ? (allOf as readonly JsonValue[]) : []), { anyOf: branches }],
  };
}

function nameOf(branch: JsonSchema, index: number, folder: string): string {
  const reference = isJsonObject(branch) ? getOwn(branch, "$ref") : undefined;
  return typeof reference === "string" && reference.startsWith(folder)
    ? quote(reference.slice(folder.length, -".json".length))
    : `alternative ${index + 1}`;
}
