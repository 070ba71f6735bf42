/*
 * Reading a Protobuf schema, in order: `load-files` parses a file and its imports; each is a
 * `proto-file` with our own outline. `resolve-names` finds the meaning of each name. `type-tree`
 * converts protobufjs' types to ours (`proto-type`), and checks Protobuf's rules. `json-schema`
 * writes the form of messages, and `encoder-module` the encoder that protobufjs prints.
 * `library-error` reports files that protobufjs can't read.
 */
import protobuf from "protobufjs";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import { checkRecursion } from "../../../schema/check-recursion.js";
import { didYouMean } from "../../../schema/suggestion.js";
import type { ResolveInput } from "../../../kit/binding.js";
import type { TextNode } from "../../../kit/text-template.js";
import type { MessageSchema } from "../message-schema.js";
import { encoderModule } from "./encoder-module.js";
import { messageForm } from "./json-schema.js";
import { reportLibraryError } from "./library-error.js";
import { type LoadedFiles, loadFiles } from "./load-files.js";
import { everyType, type MessageType } from "./proto-type.js";
import { fullName, resolveNames, typeBelow } from "./resolve-names.js";
import { checkEndless, typeTree } from "./type-tree.js";

type Input = Pick<ResolveInput, "readFile" | "report">;

/**
 * Reads the schema of messages from a message type in a .proto file.
 *
 * @param file `./orders.proto#acme.OrderCreated`, with the path relative to the skill's folder
 * @returns undefined if the schema can't be used; every problem is reported
 */
export function readProtobuf(file: TextNode, input: Input): MessageSchema | undefined {
  const { report } = input;
  const errorsBefore = report.errorCount();
  const [path = "", ...rest] = file.value.split("#");
  const source = input.readFile(path, file);
  const loaded = source && loadFiles(source, path, input);
  if (loaded === undefined || !resolveAll(loaded, input)) return undefined;
  const message = findMessage({ name: rest.join("#"), path, span: file.span }, loaded, report);
  if (message === undefined) return undefined;
  const root = typeTree(message, loaded, report);
  if (report.errorCount() > errorsBefore || !checkEndless(root, report)) return undefined;
  return schemaOf(root, loaded, input);
}

function schemaOf(
  root: MessageType,
  loaded: LoadedFiles,
  { report }: Input,
): MessageSchema | undefined {
  const { places, schema, types } = messageForm(root);
  if (!checkRecursion({ schema, places }, report)) return undefined;
  const code = encoderModule(root, everyType(root), loaded.root);
  return {
    json: { kind: "schema", schema, span: root.span, places },
    types,
    encoding: { kind: "protobuf", message: root.name, code },
  };
}

function resolveAll(loaded: LoadedFiles, { report }: Input): boolean {
  if (!resolveNames(loaded, report)) return false;
  try {
    loaded.root.resolveAll();
    return true;
  } catch (error) {
    const [first, ...others] = loaded.files;
    if (first !== undefined) reportLibraryError(error, first, others, report);
    return false;
  }
}

/** The message that an author named, and the span of the name. */
export interface NamedMessage {
  /** Empty if the author named none. */
  readonly name: string;
  readonly path: string;
  readonly span: Span;
}

/** @returns undefined if there is no such message, which is reported */
function findMessage(
  named: NamedMessage,
  { files, root }: LoadedFiles,
  report: Report,
): protobuf.Type | undefined {
  const declared = files.flatMap(({ outline }) => outline.declared.map(({ path }) => path));
  const messages = declared.flatMap((path) => {
    const found = typeBelow(root, path.split("."));
    return found instanceof protobuf.Type ? [found] : [];
  });
  const found = messages.find((each) => fullName(each) === named.name);
  if (found === undefined) reportAbsent(named, messages.map(fullName), report);
  return found;
}

function reportAbsent(named: NamedMessage, names: readonly string[], report: Report): void {
  const { name, path, span } = named;
  report.add({
    code: "queue/no-protobuf-message",
    span,
    message:
      name === ""
        ? "the schema doesn't name a message of the file"
        : `there is no message ${quote(name)} in ${quote(path)}`,
    help: helpFor(named, names),
  });
}

function helpFor({ name, path }: NamedMessage, names: readonly string[]): string {
  const [first] = names;
  if (first === undefined) return "declare a `message` in it";
  const meant = name === "" ? first : names.find((each) => each.endsWith(`.${name}`));
  if (meant !== undefined) return `write \`${shown(`${path}#${meant}`)}\``;
  return didYouMean(name, names) ?? listed(names);
}

function listed(names: readonly string[]): string {
  return `it has ${names.slice(0, 12).map(quote).join(", ")}${names.length > 12 ? ", …" : ""}`;
}
