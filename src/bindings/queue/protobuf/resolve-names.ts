import protobuf from "protobufjs";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import { didYouMean } from "../../../schema/suggestion.js";
import type { ProtoFile } from "./proto-file.js";
import { placesOf } from "./proto-file.js";
import type { LoadedFiles } from "./load-files.js";
import type { ScalarName } from "./proto-type.js";

/**
 * Sets each field's type to its full name by Protobuf's rule: the innermost scope with the name's
 * first part decides. The library would also search nested scopes and find another type. Removes
 * extensions and services, which are not part of messages.
 *
 * @returns false if a name is not that of a type, which is reported
 */
export function resolveNames({ files, root }: LoadedFiles, report: Report): boolean {
  const types: protobuf.Type[] = [];
  collect(root, types);
  const unknown = types.flatMap((type) =>
    type.fieldsArray.filter((field) => !resolveField(field, type)),
  );
  const places = placesOf(files);
  const [first] = files;
  for (const field of unknown.slice(0, maxReported)) {
    const place = places.get(fullName(field));
    if (place === undefined && first === undefined) continue;
    reportUnknown(field, place ?? fileStart(first), types, report);
  }
  return unknown.length === 0;
}

/** Limits the search for similar names, which compares each unknown name with all others. */
const maxReported = 20;

interface At {
  readonly file: string;
  readonly name: { readonly start: number; readonly end: number };
  readonly type?: { readonly start: number; readonly end: number } | undefined;
}

function fileStart(file: ProtoFile | undefined): At {
  return { file: file?.source.path ?? "", name: { start: 0, end: 0 } };
}

function collect(space: protobuf.NamespaceBase, types: protobuf.Type[]): void {
  for (const each of space.nestedArray.slice()) {
    if (each instanceof protobuf.Field || each instanceof protobuf.Service) space.remove(each);
    else if (isSpace(each)) collect(each, types);
    if (each instanceof protobuf.Type) types.push(each);
  }
}

function resolveField(field: protobuf.Field, type: protobuf.Type): boolean {
  if (isScalar(field.type)) return true;
  const found = typeNamed(field.type, type);
  if (found === undefined) return false;
  field.type = found.fullName;
  return true;
}

export function isScalar(name: string): name is ScalarName {
  return Object.hasOwn(protobuf.types.basic, name);
}

/** Returns the type that a name means within a message. */
function typeNamed(
  name: string,
  from: protobuf.NamespaceBase,
): protobuf.Type | protobuf.Enum | undefined {
  if (name.startsWith(".")) return typeBelow(from.root, name.slice(1).split("."));
  const path = name.split(".");
  const [first = ""] = path;
  for (let scope: protobuf.NamespaceBase | null = from; scope !== null; scope = scope.parent) {
    const found = scope.get(first);
    if (path.length === 1 ? isType(found) : isSpace(found)) return typeBelow(scope, path);
  }
  return undefined;
}

/** Returns the type at exactly this path of names. */
export function typeBelow(
  space: protobuf.NamespaceBase,
  path: readonly string[],
): protobuf.Type | protobuf.Enum | undefined {
  let at: protobuf.ReflectionObject | null = space;
  for (const name of path) at = isSpace(at) ? at.get(name) : null;
  return isType(at) ? at : undefined;
}

/** Messages and the root are namespaces too, although the library's declarations leave that out. */
function isSpace(object: unknown): object is protobuf.NamespaceBase {
  return object instanceof protobuf.Namespace;
}

function isType(object: unknown): object is protobuf.Type | protobuf.Enum {
  return object instanceof protobuf.Type || object instanceof protobuf.Enum;
}

/** Returns the full name with package, without the library's leading point. */
export function fullName(object: protobuf.ReflectionObject): string {
  return object.fullName.replace(/^\./, "");
}

function reportUnknown(
  field: protobuf.Field,
  { file, name, type }: At,
  types: readonly protobuf.Type[],
  report: Report,
): void {
  const { start, end } = type ?? name;
  report.add({
    code: "queue/bad-protobuf-schema",
    span: { file, start, end },
    message: `the type ${quote(field.type)} is unknown here`,
    help: helpFor(field.type, types),
  });
}

function helpFor(name: string, types: readonly protobuf.Type[]): string {
  if (/^\.?google\.protobuf\.\w+$/.test(name))
    return "import the file of `google/protobuf/` that declares it";
  if (types.some((each) => fullName(each) === name))
    return `write \`.${shown(name)}\`: a nearer name has the same first part`;
  const known = types.flatMap((each) => [each.name, fullName(each)]);
  return (
    didYouMean(name, [...Object.keys(protobuf.types.basic), ...known]) ??
    "import the file that declares it"
  );
}
