import protobuf from "protobufjs";
import { runtimeEntry } from "../../../core/runtime-entry.js";
import type { EnumType, MessageType, ProtoField, ProtoType, ScalarName } from "./proto-type.js";
import { fullName } from "./resolve-names.js";

const runtimeModule = runtimeEntry("protobuf");

const header =
  "// @ts-nocheck: what protobufjs prints is JavaScript; `encode` is typed by the annotation that its users see.\n";

/**
 * The text of a whole module that exports `encode`: protobufjs's own encoders, each called by its
 * name, and functions that make of JSON what they take. Names of fields and values are all that is
 * in it of what an author wrote.
 *
 * @param types messages and enums that `root` is made of
 * @throws Error when such a name is no name by Protobuf's grammar, which the library lets no file
 *   have
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

/** All messages that have an encoder, Protobuf's own included. */
function messagesOf(root: protobuf.Type): readonly protobuf.Type[] {
  const seen = new Set([root]);
  for (const type of seen) {
    for (const { resolvedType } of type.fieldsArray)
      if (resolvedType instanceof protobuf.Type) seen.add(resolvedType);
  }
  return [...seen];
}

/** The library looks other messages' encoders up in a list, by the position of their field. */
function encoder(type: protobuf.Type, { messages }: Module): string {
  type.fieldsArray.forEach(({ name }) => checked(name));
  const printed = print(type, `encode${indexOf(fullName(type), messages)}`);
  return printed.replace(/\btypes\[(\d+)\]\.encode\(/g, (_, position: string) => {
    const inner = type.fieldsArray[Number(position)]?.resolvedType;
    return `encode${indexOf(inner ? fullName(inner) : "", messages)}(`;
  });
}

function print(type: protobuf.Type, name: string): string {
  // The library's declarations don't say that it takes a name.
  const printer = protobuf.encoder(type) as { readonly toString: (name: string) => string };
  return printer.toString(name);
}

/** What the functions of a module refer to one another by. */
export interface Module {
  /** By full name, what stands behind `read` and `encode`. The root's is 0. */
  readonly messages: ReadonlyMap<string, number>;
  /** By full name, what stands behind `symbols`. */
  readonly enums: ReadonlyMap<string, number>;
  /** Filled on the way. */
  readonly imports: Set<string>;
}

/** A function that makes of an enum's symbol its number. */
function symbolsCode({ name, values }: EnumType, module: Module): string {
  const pairs = values.map(([symbol, number]) => `["${checked(symbol)}",${number}]`);
  return `const symbols${indexOf(name, module.enums)} = ${use("symbols", module)}([${pairs.join(",")}]);`;
}

/** A function that makes of a message in JSON what its encoder takes. */
function readerCode({ fields, name }: MessageType, module: Module): string {
  const entries = fields.map((field) => `"${checked(field.name)}":${read(field, module)}`);
  return `function read${indexOf(name, module.messages)}(d){if(d!==undefined)return{${entries.join(",\n")}}}`;
}

/** A property, where every object has one of that name too. */
function property(name: string, module: Module): string {
  return name in Object.prototype
    ? `${use("own", module)}(d,"${checked(name)}")`
    : `d["${checked(name)}"]`;
}

/** What makes of a field's JSON what the encoder takes. */
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

/** The name of a function; undefined where the JSON value is what is encoded. */
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

/** @throws Error when it is no name by Protobuf's grammar */
function checked(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name === "__proto__")
    throw new Error(`no name of Protobuf's: ${JSON.stringify(name)}`);
  return name;
}

/** @throws Error when it is not known, which would be our mistake */
function indexOf(name: string, known: ReadonlyMap<string, number>): number {
  const index = known.get(name);
  if (index === undefined) throw new Error(`no code for ${name}`);
  return index;
}
