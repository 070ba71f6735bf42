import { runtimeEntry } from "../../../core/runtime-entry.js";
import protobuf from "protobufjs";
import type { EnumType, MessageType } from "./proto-type.js";
import { checked, indexOf, type Module, readerCode, symbolsCode } from "./reader-code.js";
import { fullName } from "./resolve-names.js";

const runtimeModule = runtimeEntry("protobuf");

const header =
  "// @ts-nocheck: what protobufjs prints is JavaScript; `encode` is typed by the annotation that its users see.\n";

/**
 * The text of a whole module that exports `encode`: protobufjs's own encoders, each called by its name, and functions that make of JSON what they take. Names of
 * fields and values are all that is in it of what an author wrote.
 *
 * @param types messages and enums that `root` is made of
 * @throws Error when such a name is no name by Protobuf's grammar, which the library lets no file have
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
