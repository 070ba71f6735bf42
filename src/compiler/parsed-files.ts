import { posix } from "node:path";
import type { Project } from "../core/project.js";
import { collectDiagnostics, type Report } from "../core/report.js";
import type { SourceFile } from "../core/source-file.js";
import type { SyntaxNode } from "../core/syntax-node.js";
import { fileName } from "../core/file-name.js";
import type { SchemaFiles } from "../schema/schema-files.js";
import type { SchemaPlace } from "../schema/shared-names.js";
import { parseFile, type ParsedFile, treeIn } from "./parse/parse-file.js";
import { parseSkill } from "./parse/parse-skill.js";
import { skillName } from "./resolve/resolve-skill.js";
import type { TrackedFiles } from "./tracked-files.js";

/** Parsed files of a project that skills refer to. */
interface ParsedFiles {
  readonly trees: WeakMap<SourceFile, ParsedFile>;
  readonly read: SchemaFiles["read"];
  /** Names of the skills, by folder. */
  readonly names: Map<string, string>;
}

const parsed = new WeakMap<Project, ParsedFiles>();

function filesOf(project: Project): ParsedFiles {
  const known = parsed.get(project) ?? {
    trees: new WeakMap(),
    read: new WeakMap(),
    names: new Map(),
  };
  parsed.set(project, known);
  return known;
}

function parsedFile(file: SourceFile, { trees }: ParsedFiles): ParsedFile {
  const found = trees.get(file) ?? parseFile(file);
  trees.set(file, found);
  return found;
}

/** Parses a file. Each caller's report gets the problems. */
export function treeOf(file: SourceFile, project: Project, report: Report): SyntaxNode | undefined {
  return treeIn(parsedFile(file, filesOf(project)), report);
}

/**
 * Returns the schemas in files of a project, for one skill.
 *
 * @param files the skill's files, which record every access that affects names of schemas
 * @param skills the skills folder
 */
export function schemaFilesOf(project: Project, files: TrackedFiles, skills: string): SchemaFiles {
  const known = filesOf(project);
  const places = new Map<string, SchemaPlace>();
  return {
    tree(path) {
      const file = project.files.get(path);
      return file && parsedFile(file, known).tree;
    },
    placeOf(path) {
      const place = places.get(path) ?? placeOf(path, { files, known, skills });
      places.set(path, place);
      return place;
    },
    read: known.read,
  };
}

interface Placing {
  readonly files: TrackedFiles;
  readonly known: ParsedFiles;
  readonly skills: string;
}

/**
 * Returns the location for modules of a shared schema: `schemas` of the skill that owns the file,
 * or else of the output folder. Omits a folder `schemas` in the path, unless that leads to another
 * file.
 */
function placeOf(path: string, { files, known, skills }: Placing): SchemaPlace {
  const owner = ownerOf(path, skills, files);
  const root = owner ?? (skills === "" ? "." : skills);
  const written = posix.relative(root, path).replace(/\.json$/, "");
  const short = written.replace(/\.schema$/, "");
  // `order.schema.json` becomes `order`, unless `order.json` exists.
  const isShort = short !== written && files.open(posix.join(root, `${short}.json`)) === undefined;
  const relative = isShort ? short : written;
  const inside = /^schemas\/(.+)$/.exec(relative)?.[1];
  const other = posix.join(root, "schemas", `${relative}.json`);
  const isTaken = inside === undefined && files.open(other) !== undefined;
  const stem = isTaken ? `${relative}.json` : (inside ?? relative);
  const folder = owner === undefined ? "schemas" : `${folderOf(owner, files, known)}/schemas`;
  return { folder, stem };
}

/** Returns the folder of the skill that contains the file; undefined if no skill does. */
function ownerOf(path: string, skills: string, files: TrackedFiles): string | undefined {
  for (let at = posix.dirname(path); at !== "." && at !== skills; at = posix.dirname(at))
    if (skillFileIn(at, files) !== undefined) return at;
  return undefined;
}

function skillFileIn(folder: string, files: TrackedFiles): SourceFile | undefined {
  return files.open(`${folder}/SKILL.md`) ?? files.open(`${folder}/skill.md`);
}

/** Returns the output folder of a skill. */
function folderOf(owner: string, files: TrackedFiles, { names }: ParsedFiles): string {
  const file = skillFileIn(owner, files);
  const known = names.get(owner);
  if (known !== undefined) return known;
  const syntax = file && parseSkill(owner, file, undefined, collectDiagnostics().report);
  const name = fileName(syntax === undefined ? posix.basename(owner) : skillName(syntax));
  names.set(owner, name);
  return name;
}
