import {
  type EnumType,
  type MessageType,
  type ProtoField,
  type ProtoType,
  type ScalarName,
} from "./proto-type.js";

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
export function symbolsCode({ name, values }: EnumType, module: Module): string {
  const pairs = values.map(([symbol, number]) => `["${checked(symbol)}",${number}]`);
  return `const symbols${indexOf(name, module.enums)} = ${use("symbols", module)}([${pairs.join(",")}]);`;
}

/** A function that makes of a message in JSON what its encoder takes. */
export function readerCode({ fields, name }: MessageType, module: Module): string {
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
export function checked(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name === "__proto__")
    throw new Error(`no name of Protobuf's: ${JSON.stringify(name)}`);
  return name;
}

/** @throws Error when it is not known, which would be our mistake */
export function indexOf(name: string, known: ReadonlyMap<string, number>): number {
  const index = known.get(name);
  if (index === undefined) throw new Error(`no code for ${name}`);
  return index;
}
