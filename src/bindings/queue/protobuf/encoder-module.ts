import protobuf from "protobufjs";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { EnumType, MessageType, ProtoField, ProtoType, ScalarName } from "./proto-type.js";
import { fullName } from "./resolve-names.js";

const runtimeModule = runtimeEntry("protobuf");

const header =
  "// @ts-nocheck: what protobufjs prints is JavaScript; `encode` is typed by the annotation that its users see.\n";

/**
 * Returns the text of a module that exports `encode`. It contains protobufjs's encoders, each with
 * its own name, and functions that convert JSON to the encoders' input. Of the author's text, the
 * module contains only names of fields and values.
 *
 * @param types messages and enums that `root` consists of
 * @throws Error if a name breaks Protobuf's grammar, which the library excludes for files
 */
export function encoderModule(
  root: MessageType,
  types: readonly (MessageType | EnumType)[],
  library: protobuf.Root,
): string {
  const encoded = messagesOf(library.lookupType(`.${root.name}`));
  const module: Module = {
    messages: new Map(encoded.map((type, index) => [fullName(type), index])),
    enums: new Map(
      types.filter((type) => type.kind === "enum").map((type, index) => [type.name, index]),
    ),
    imports: new Set(["type Encode", "Writer", "util"]),
  };
  const statements = [
    ...types.map((type) =>
      type.kind === "enum" ? symbolsCode(type, module) : readerCode(type, module),
    ),
    ...encoded.map((type) => encoder(type, module)),
    `export const encode: Encode = (message) => encode0(read0(message)).finish();`,
  ];
  const imports = `import { ${[...module.imports].toSorted(byName).join(", ")} } from "${runtimeModule}";`;
  return header + [imports, ...statements].map((each) => `// prettier-ignore\n${each}\n`).join("");
}

function byName(a: string, b: string): number {
  return a.replace("type ", "") < b.replace("type ", "") ? -1 : 1;
}

/** Returns all messages that have an encoder, Protobuf's own included. */
function messagesOf(root: protobuf.Type): readonly protobuf.Type[] {
  const seen = new Set([root]);
  for (const type of seen) {
    for (const { resolvedType } of type.fieldsArray)
      if (resolvedType instanceof protobuf.Type) seen.add(resolvedType);
  }
  return [...seen];
}

/** The library's encoders find the encoders of other messages in a list, by field position. */
function encoder(type: protobuf.Type, { messages }: Module): string {
  type.fieldsArray.forEach(({ name }) => checked(name));
  const printed = print(type, `encode${indexOf(fullName(type), messages)}`);
  return printed.replace(/\btypes\[(\d+)\]\.encode\(/g, (_, position: string) => {
    const inner = type.fieldsArray[Number(position)]?.resolvedType;
    return `encode${indexOf(inner ? fullName(inner) : "", messages)}(`;
  });
}

function print(type: protobuf.Type, name: string): string {
  // The library's declarations leave out that it accepts a name.
  const printer = protobuf.encoder(type) as { readonly toString: (name: string) => string };
  return printer.toString(name);
}

/** The numbers by which the functions of a module refer to each other. */
export interface Module {
  /** Number of each message's `read` and `encode` function, by full name. The root has 0. */
  readonly messages: ReadonlyMap<string, number>;
  /** Number of each enum's `symbols` function, by full name. */
  readonly enums: ReadonlyMap<string, number>;
  /** Filled while the module is written. */
  readonly imports: Set<string>;
}

/** Writes the function that converts an enum's names to numbers. */
function symbolsCode({ name, values }: EnumType, module: Module): string {
  const pairs = values.map(([symbol, number]) => `["${checked(symbol)}",${number}]`);
  return `const symbols${indexOf(name, module.enums)} = ${use("symbols", module)}([${pairs.join(",")}]);`;
}

/** Writes the function that converts a message in JSON to its encoder's input. */
function readerCode({ fields, name }: MessageType, module: Module): string {
  const entries = fields.map((field) => `"${checked(field.name)}":${read(field, module)}`);
  return `function read${indexOf(name, module.messages)}(d){if(d!==undefined)return{${entries.join(",\n")}}}`;
}

/** Reads a property, also if every object inherits one of that name. */
function property(name: string, module: Module): string {
  return name in Object.prototype
    ? `${use("own", module)}(d,"${checked(name)}")`
    : `d["${checked(name)}"]`;
}

/** Writes the code that converts a field's JSON to its encoder's input. */
function read({ cardinality, name, type }: ProtoField, module: Module): string {
  const given = property(name, module);
  const one = readerOf(type, module);
  if (cardinality.kind === "repeated")
    return one === undefined ? given : `${use("list", module)}(${given},${one})`;
  if (cardinality.kind !== "map") return one === undefined ? given : `${one}(${given})`;
  const key = cardinality.key === "string" ? [use("text", module)] : [];
  const readers = [one ?? (key.length > 0 ? "undefined" : ""), ...key].filter(
    (each) => each !== "",
  );
  return `${use("map", module)}(${[given, ...readers].join(",")})`;
}

/**
 * Returns the name of the converting function; undefined if the JSON value is encoded unchanged.
 */
function readerOf(type: ProtoType, module: Module): string | undefined {
  switch (type.kind) {
    case "scalar":
      return scalarReader(type.name, module);
    case "well-known":
      return use(`${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}`, module);
    case "enum":
      return `symbols${indexOf(type.name, module.enums)}`;
    case "message":
      return `read${indexOf(type.name, module.messages)}`;
  }
}

function scalarReader(name: ScalarName, module: Module): string | undefined {
  if (name === "string") return use("text", module);
  if (name === "bytes") return use("bytes", module);
  return name.endsWith("64") ? use("long", module) : undefined;
}

function use(name: string, { imports }: Module): string {
  imports.add(name);
  return name;
}

/** @throws Error if the name breaks Protobuf's grammar */
function checked(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name === "__proto__")
    throw new Error(`no name of Protobuf's: ${JSON.stringify(name)}`);
  return name;
}

/** @throws Error if the name is unknown, which would be our mistake */
function indexOf(name: string, known: ReadonlyMap<string, number>): number {
  const index = known.get(name);
  if (index === undefined) throw new Error(`no code for ${name}`);
  return index;
}
