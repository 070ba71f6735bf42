import { isScalar, type ParsedNode } from "yaml";
import type { Report } from "../../core/report.js";
import type { YamlScalar } from "./scalar-spelling.js";

/** A comment on the same line, without a space after `#`, as in `the #deployments channel`. */
const comment = /[ \t]*(?<=[ \t])(?<cut>#[\\/{$<([?:]*[\p{L}\p{N}_].*)/uy;

/** One word that looks like a setting, not like the start of a sentence: `string`, `GET`, `10s`. */
const setting = /^(?:[\p{Ll}\p{N}_-]+|[\p{Lu}\p{N}_-]+)$/u;
/** A comment that begins with a word, unlike the number in `issue #12`. */
const remark = /^#\p{L}/u;

/** The text of a file, and the report about it. */
interface Reader {
  readonly file: string;
  readonly text: string;
  readonly report: Report;
}

/**
 * Warns about a plain scalar that YAML cuts off at a `#` of the author's text. A value of another
 * type is complete, such as `8080 #production`. A setting such as `string #the id` most likely is.
 */
export function reportCutValue(scalar: YamlScalar, reader: Reader): void {
  const isText = typeof scalar.value === "string";
  const source = scalar.source ?? "";
  if (scalar.type !== "PLAIN" || !(isText || source === "")) return;
  reportCut(scalar.range[1], reader, (cut) => !(setting.test(source) && remark.test(cut)));
}

/** Warns about a plain scalar whose first line is missing: `key: #cut`, and more text below. */
export function reportCutStart(key: ParsedNode, value: ParsedNode | null, reader: Reader): void {
  const hasText = isScalar(value) && value.type === "PLAIN" && Boolean(value.source);
  if (hasText) reportCut(reader.text.indexOf(":", key.range[1]) + 1, reader);
}

function reportCut(
  from: number,
  { file, text, report }: Reader,
  isDoubtful: (cut: string) => boolean = () => true,
): void {
  comment.lastIndex = from;
  const cut = comment.exec(text)?.groups?.["cut"]?.trimEnd();
  if (cut === undefined || !isDoubtful(cut)) return;
  const start = text.indexOf("#", from);
  report.add({
    code: "parse/cut-value",
    span: { file, start, end: start + cut.length },
    message: "YAML reads the rest of this line as a comment, and not as part of the value",
    help: "put the whole value in quotes, or write a space after the `#` of a comment",
  });
}
