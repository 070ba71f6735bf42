import { shortHash } from "../core/hash.js";
import { isDeviceName } from "../core/names.js";
import { plainIdentifier } from "../core/code.js";
import type { SharedSchema } from "../core/skill-model.js";
import { stepsOf } from "./pointer.js";
import { pascalCase } from "./pascal-case.js";

/** Location of the modules of a file's schemas. */
export interface SchemaPlace {
  /** Folder below the output folder: `order-desk/schemas`. */
  readonly folder: string;
  /** Path of the file, without its ending: `common/money`. */
  readonly stem: string;
}

/** A schema of a file. */
export interface PlacedDefinition {
  /** Pointer in its file; empty for the file itself. */
  readonly pointer: string;
  readonly title: string | undefined;
  /** True if another definition in the file has the same name in another case. */
  readonly isOneOfTwo: boolean;
}

/**
 * Names a schema in a file. The names depend only on the file's path, the place in the file and the
 * title. So they are the same for every referring document.
 */
export function nameShared(
  { folder, stem }: SchemaPlace,
  { isOneOfTwo, pointer, title }: PlacedDefinition,
): Pick<SharedSchema, "name" | "module" | "typeName" | "shortName"> {
  const steps = stepsOf(pointer) ?? [];
  const isDefinition = steps.length === 2 && /^(?:\$defs|definitions)$/.test(steps[0] ?? "");
  const key = isDefinition ? steps[1] : steps.join("-") || undefined;
  const parts = [...stem.split("/"), ...(key === undefined ? [] : [key])];
  const plain = parts.map(plainPart);
  const path = plain.slice(0, parts.length - (key === undefined ? 0 : 1)).join("/");
  const file = key === undefined ? path : `${path}.${plain.at(-1)}`;
  // Names that were changed, or aren't keys of `$defs`, get a suffix made from the original.
  const isPlain =
    plain.every((each, at) => each === parts[at]) &&
    (key === undefined || (isDefinition && !isOneOfTwo && !endings.has(key)));
  const module = `${folder}/${isPlain ? file : `${file}-${shortHash(`${stem}#${pointer}`).slice(0, 8)}`}`;
  const shortName = plain.at(-1) ?? "schema";
  return {
    name: module.replaceAll("/", "."),
    module,
    shortName,
    typeName: typeNameOf(title, key ?? parts.at(-1) ?? ""),
  };
}

/** Suffixes of a schema's modules. */
const endings: ReadonlySet<string> = new Set(["filled", "input", "request", "schema", "validate"]);

function plainPart(part: string): string {
  const plain = part.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 80) || "schema";
  return isDeviceName(plain) ? `${plain}-schema` : plain;
}

function typeNameOf(title: string | undefined, name: string): string {
  const stem = pascalCase(title ?? "") || pascalCase(name);
  if (!plainIdentifier.test(stem)) return `Schema${stem}`;
  return globalTypes.has(stem) ? `${stem}Schema` : stem;
}

/** Names of TypeScript's own types, which a declaration would hide. */
const globalTypes: ReadonlySet<string> = new Set(
  [
    "Array ArrayBuffer Awaited BigInt Boolean Capitalize DataView Date Error Exclude Extract Function Infinity InstanceType Intl Iterator JSON Map Math",
    "NaN NonNullable Number Object Omit Parameters Partial Pick Promise Proxy Readonly ReadonlyArray Record Reflect RegExp Required ReturnType Set String",
    "Symbol ThisType Uint8Array Uncapitalize Uppercase Lowercase WeakMap WeakSet Validator",
  ].flatMap((line) => line.split(" ")),
);
