import { quote, shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import { type MapNode, valueOf } from "../../core/syntax-node.js";
import { type TextNode, textNode } from "../text-template.js";

/** How messages are encoded, and the file that says of what they are made. */
export interface FormatReading {
  readonly name: string;
  /** Where the format stands. */
  readonly node?: TextNode;
  /** Without what its format has no place for. */
  readonly file?: TextNode;
}

/** Reads `format` and `schema`. A format that does not go with the file is reported, and taken for what was meant. */
export function readFormat(binding: MapNode, report: Report): FormatReading {
  const node = textNode(valueOf(binding, "format"));
  const stated = node?.value ?? "json";
  const file = textNode(valueOf(binding, "schema"));
  const meant = file && formatOfFile(file.value);
  if (file !== undefined && meant !== undefined && meant !== stated)
    reportOther({ file, meant, stated, isDefault: node === undefined }, report);
  const name = meant ?? stated;
  const whole = file && name === "avro" ? withoutFragment(file, report) : file;
  return { name, ...(node && { node }), ...(whole && { file: whole }) };
}

/** Undefined where the ending does not say: a JSON Schema may have any. */
function formatOfFile(path: string): string | undefined {
  const ending = /\.(avsc|proto)(?:#.*)?$/is.exec(path)?.[1]?.toLowerCase();
  return ending && (ending === "avsc" ? "avro" : "protobuf");
}

interface OtherFormat {
  readonly file: TextNode;
  readonly meant: string;
  readonly stated: string;
  readonly isDefault: boolean;
}

function reportOther({ file, isDefault, meant, stated }: OtherFormat, report: Report): void {
  const what = meant === "avro" ? "an Avro schema" : "a Protobuf file";
  report.add({
    code: "queue/other-format",
    span: file.span,
    message: `${quote(file.value)} is ${what}, and ${isDefault ? "without `format` messages are JSON" : `the format is \`${stated}\``}`,
    help: `write \`format: ${meant}\``,
  });
}

/** An Avro file has one schema. */
function withoutFragment(file: TextNode, report: Report): TextNode {
  const [path = "", ...rest] = file.value.split("#");
  // Without a path there is no file to speak of.
  if (rest.length === 0 || path === "") return file;
  report.add({
    code: "queue/not-for-format",
    span: file.span,
    message: `\`avro\` messages have no \`#${shown(rest.join("#"))}\`: an Avro file is one schema`,
    help: `write \`schema: ${shown(path)}\``,
  });
  return { ...file, value: path };
}
