import protobuf from "protobufjs";
import { quote, shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { Span } from "../../../core/span.js";
import { didYouMean } from "../../../schema/suggestion.js";
import type { LoadedFiles } from "./load-files.js";
import { fullName, typeBelow } from "./resolve-names.js";

/** What an author named, and where. */
export interface NamedMessage {
  /** Empty when there was none. */
  readonly name: string;
  readonly path: string;
  readonly span: Span;
}

/** @returns undefined when there is no such message, which is reported */
export function findMessage(
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
        ? "no message of the file is named"
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
