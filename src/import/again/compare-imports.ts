/** What differs between two imports of the same, with the verdicts of `skillc compare`. */
import {
  type CatalogComparison,
  compareCatalogs,
  type ComparedCatalog,
  type ComparedTool,
} from "../../compiler/compare-tools/compare-catalogs.js";
import { parseTree } from "../../compiler/parse/parse-json.js";
import { canonicalJson } from "../../core/canonical-json.js";
import { groupBy } from "../../core/group-by.js";
import { shortHash } from "../../core/hash.js";
import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from "../../core/json.js";
import type { Report } from "../../core/report.js";
import { posix } from "node:path";
import { toJson } from "../../core/syntax-node.js";
import type { SkillFiles } from "../skills/print-files.js";

/** Whether a binding, as an import writes it, changes nothing. */
export type OnlyReads = (binding: JsonObject) => boolean;

/**
 * Both are as imports wrote them: what people changed doesn't count. Tools of which no file has
 * changed are not looked at.
 */
export function compareImports(
  old: SkillFiles,
  now: SkillFiles,
  onlyReads: OnlyReads,
): CatalogComparison {
  const paths = new Set([...old.keys(), ...now.keys()]);
  const changed = new Set([...paths].filter((path) => old.get(path) !== now.get(path)));
  if (changed.size === 0) return compareCatalogs({ skills: [] }, { skills: [] });
  const [before, after] = [old, now].map((files) => toolsIn(files, changed, onlyReads));
  const isSame = (id: string): boolean => {
    const [one, other] = [before?.get(id), after?.get(id)];
    return one?.isAffected === false && other?.isAffected === false && one.text === other.text;
  };
  return compareCatalogs(catalogOf(before, isSame), catalogOf(after, isSame));
}

interface ReadTool {
  /** Without the files that it refers to. */
  readonly text: string;
  readonly isAffected: boolean;
  readonly compared: () => ComparedTool;
}

type Tools = ReadonlyMap<string, ReadTool>;

function catalogOf(tools: Tools | undefined, isSame: (id: string) => boolean): ComparedCatalog {
  const compared = [...(tools ?? [])].flatMap(([id, tool]) =>
    isSame(id) ? [] : [tool.compared()],
  );
  const skills = groupBy(compared, ({ id }) => id.slice(0, id.indexOf("/")));
  return { skills: [...skills].map(([name, own]) => ({ name, tools: own })) };
}

function toolsIn(files: SkillFiles, changed: ReadonlySet<string>, onlyReads: OnlyReads): Tools {
  const read = createReader(files);
  const known = new Map<string, boolean>();
  const isAffected = (path: string): boolean => {
    const found = known.get(path);
    if (found !== undefined) return found;
    // While it is looked at, a reference back to it tells nothing new.
    known.set(path, changed.has(path));
    const own = changed.has(path) || referencesIn(read(path), posix.dirname(path)).some(isAffected);
    known.set(path, own);
    return own;
  };
  const tools = new Map<string, ReadTool>();
  for (const path of files.keys()) {
    const metadata = path.endsWith("/metadata.yaml") ? read(path) : undefined;
    const all = isJsonObject(metadata) ? getOwn(metadata, "tools_schema") : undefined;
    const folder = posix.dirname(path);
    for (const [name, tool] of isJsonObject(all) ? Object.entries(all) : []) {
      if (!isJsonObject(tool)) continue;
      const id = `${folder}/${name}`;
      tools.set(id, {
        text: canonicalJson(tool),
        isAffected: referencesIn(tool, folder).some(isAffected),
        compared: () => comparedTool(id, tool, folder, { read, onlyReads }),
      });
    }
  }
  return tools;
}

/** Paths of the files that a value refers to. */
function referencesIn(value: JsonValue | undefined, folder: string): readonly string[] {
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap((each) => referencesIn(each, folder));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "$ref" && typeof each === "string" && each.endsWith(".json")
      ? [posix.join(folder, each)]
      : referencesIn(each, folder),
  );
}

type Read = (path: string) => JsonValue | undefined;

/** Values of files, each parsed once. */
function createReader(files: SkillFiles): Read {
  const known = new Map<string, JsonValue | undefined>();
  return (path) => {
    const text = files.get(path);
    if (text === undefined) return undefined;
    if (!known.has(path)) {
      const tree = parseTree({ path, text }, silent);
      known.set(path, tree && toJson(tree));
    }
    return known.get(path);
  };
}

const silent: Report = { add() {}, within: () => silent, errorCount: () => 0 };

/** The keys of the catalog that follow from what an import writes. */
function comparedTool(
  id: string,
  tool: JsonObject,
  folder: string,
  { onlyReads, read }: { readonly onlyReads: OnlyReads; readonly read: Read },
): ComparedTool {
  const binding = getOwn(tool, "binding");
  const bundled = (key: string): JsonObject => {
    const schema = getOwn(tool, key);
    return schema === undefined ? {} : { [key]: bundle(schema, folder, read) };
  };
  const { parameters: input } = bundled("parameters");
  const { returns: output } = bundled("returns");
  return {
    id,
    description: getOwn(tool, "description") ?? "",
    deprecated: getOwn(tool, "deprecated") ?? false,
    side_effect: isJsonObject(binding) && onlyReads(binding) ? "read" : "write",
    ...(input !== undefined && { input_schema: input }),
    ...(output !== undefined && { output_schema: output }),
    manifest_hash: shortHash(canonicalJson(bundle(tool, folder, read))),
  };
}

/** One document of a schema and the files that it refers to, by `$defs`. */
function bundle(schema: JsonValue, folder: string, read: Read): JsonValue {
  const defs: Record<string, JsonValue> = {};
  const moved = (value: JsonValue, at: string): JsonValue => {
    if (Array.isArray(value)) return (value as readonly JsonValue[]).map((each) => moved(each, at));
    if (!isJsonObject(value)) return value;
    const copy: Record<string, JsonValue> = {};
    for (const [key, each] of Object.entries(value)) {
      const isReference = key === "$ref" && typeof each === "string" && each.endsWith(".json");
      setOwn(copy, key, isReference ? definition(posix.join(at, each)) : moved(each, at));
    }
    return copy;
  };
  const definition = (path: string): string => {
    const name = posix.basename(path, ".json");
    if (!Object.hasOwn(defs, name)) {
      setOwn(defs, name, true);
      setOwn(defs, name, moved(read(path) ?? true, posix.dirname(path)));
    }
    return `#/$defs/${name}`;
  };
  const root = moved(schema, folder);
  return isJsonObject(root) && Object.keys(defs).length > 0 ? { ...root, $defs: defs } : root;
}
