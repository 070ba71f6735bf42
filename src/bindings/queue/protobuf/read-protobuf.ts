import { checkRecursion } from "../../../schema/check-recursion.js";
import type { ResolveInput } from "../../binding.js";
import type { TextNode } from "../../text-template.js";
import type { MessageSchema } from "../message-schema.js";
import { checkEndless } from "./check-endless.js";
import { encoderModule } from "./encoder-module.js";
import { findMessage } from "./find-message.js";
import { messageForm } from "./json-schema.js";
import { type LoadedFiles, loadFiles } from "./load-files.js";
import { everyType, type MessageType } from "./proto-type.js";
import { reportRefusal } from "./refusal.js";
import { resolveNames } from "./resolve-names.js";
import { typeTree } from "./type-tree.js";

type Input = Pick<ResolveInput, "readFile" | "report">;

/**
 * What a message of a .proto file says of messages.
 *
 * @param file `./orders.proto#acme.OrderCreated`, the path relative to the skill's folder
 * @returns undefined when the schema can't be used; all that is wrong is reported
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
    const [first] = loaded.files;
    if (first !== undefined) reportRefusal(error, first, report);
    return false;
  }
}
