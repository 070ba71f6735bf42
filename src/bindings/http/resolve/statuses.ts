import { shown } from "../../../core/names.js";
import type { Report } from "../../../core/report.js";
import type { MapEntry, SyntaxNode } from "../../../core/syntax-node.js";
import { type TextNode, textNode } from "../../text-template.js";
import type { StatusModel } from "../model.js";

/** A status code, as a key. */
export const statusCode = /^[1-5][0-9]{2}$/;

/** What a status may be called. */
export const statusName = /^[a-z][a-z0-9_]*$/;

/** `status_codes`: what each status code means. */
export function readStatuses(node: SyntaxNode | undefined, report: Report): readonly StatusModel[] {
  if (node?.kind !== "map") return [];
  const statuses = node.entries.flatMap((entry) => {
    const name = textNode(entry.value);
    if (name === undefined) return [];
    const codeFits = checkCode(entry, report);
    const nameFits = checkName(entry, name, report);
    return codeFits && nameFits
      ? [{ code: entry.key.value, name: name.value, span: name.span }]
      : [];
  });
  checkAmbiguity(statuses, report);
  return statuses;
}

/** Whether an answer with that code carries `data`. */
export function isSuccessCode(code: string): boolean {
  return code.startsWith("2");
}

function checkCode({ key }: MapEntry, report: Report): boolean {
  if (statusCode.test(key.value)) return true;
  report.add({
    code: "http/bad-status-code",
    span: key.span,
    message: `\`${shown(key.value)}\` is not a status code`,
    help: "write three digits, 100 to 599, one code for each entry",
  });
  return false;
}

function checkName({ key }: MapEntry, name: TextNode, report: Report): boolean {
  if (name.value === "shadow") {
    report.add({
      code: "http/bad-status-name",
      span: name.span,
      message: "`shadow` is the status of a call that was recorded instead of sent",
      help: "choose another name",
    });
    return false;
  }
  if (!statusName.test(name.value)) {
    const better = name.value
      .replace(/([a-z])([A-Z])/g, "$1_$2")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "_")
      .replace(/^[^a-z]+|_+$/g, "");
    report.add({
      code: "http/bad-status-name",
      span: name.span,
      message: `\`${shown(name.value)}\` is not a name for a status`,
      help: `use lower-case letters, digits and \`_\`${better === "" ? "" : `: \`${shown(better)}\``}`,
    });
    return false;
  }
  const success = isSuccessCode(key.value);
  if (name.value !== (success ? "error" : "success")) return true;
  report.add({
    code: "http/misleading-status",
    span: name.span,
    message: success
      ? `\`error\` has no \`data\`, and ${shown(key.value)} is a success`
      : `\`success\` carries \`data\`, and ${shown(key.value)} is none`,
    help: "give it a name of its own: `accepted`, `not_found`",
  });
  return false;
}

function checkAmbiguity(statuses: readonly StatusModel[], report: Report): void {
  for (const status of statuses) {
    const other = statuses.find(({ name }) => name === status.name);
    if (other === undefined || isSuccessCode(other.code) === isSuccessCode(status.code)) continue;
    report.add({
      code: "http/ambiguous-status",
      span: status.span,
      message: `\`${shown(status.name)}\` stands for ${other.code} and for ${status.code}, and only one of them carries \`data\``,
      help: "give each a name of its own",
      related: [{ span: other.span, message: `${other.code} here` }],
    });
  }
}
