/**
 * `set_config:` of skillc.yaml: PostgreSQL settings for the transaction of every SQL tool, with
 * values from the caller. Row level security reads them with `current_setting('app.tenant')`.
 */
import type { JsonObject } from "../../core/json.js";
import { quote, shown } from "../../core/names.js";
import type { Report } from "../../core/report.js";
import type { SchemaModel } from "../../core/skill-model.js";
import type { Span } from "../../core/span.js";
import type { MapEntry, MapNode } from "../../core/syntax-node.js";
import { callerAsText, callerFieldIn, callerFieldsIn, callerRoot } from "../../kit/caller-root.js";
import { checkRoots, rootsIn } from "../../kit/roots.js";
import { parseTemplate, type TextNode, textNode, type TextPart } from "../../kit/text-template.js";
import { type SessionSetting, type SettingPart, sqlTemplates } from "./model.js";

/**
 * Pattern of a custom setting's name: two or more identifiers with dots. Names without a dot belong
 * to PostgreSQL.
 */
const customName = /^[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z_][A-Za-z0-9_$]*)+$/;

/** Schema of `set_config` in `skillc.yaml`. */
export const setConfigSchema: JsonObject = {
  type: ["object", "null"],
  description:
    'PostgreSQL settings that skillc sets in the transaction of each SQL tool, for row-level security: `app.tenant: "{caller.tenant}"`.',
  propertyNames: { pattern: customName.source },
  additionalProperties: {
    type: "string",
    description:
      "Text that may contain `{caller.tenant}`, `{caller.subject}`, `{caller.origin}` and `{caller.trace}`.",
  },
};

/** Reads the settings. Reports and leaves out invalid ones. */
export function readSetConfig(
  node: MapNode | undefined,
  report: Report,
): readonly SessionSetting[] {
  const seen = new Map<string, Span>();
  return (node?.entries ?? []).flatMap((entry) => {
    const isGood = checkName(entry, seen, report);
    const parts = readParts(entry, report);
    return isGood && parts !== undefined ? [{ name: entry.key.value, parts }] : [];
  });
}

/** Lists the caller fields that the settings use. */
export function callerFieldsOf(settings: readonly SessionSetting[]): readonly string[] {
  const parts = settings.flatMap((each) => each.parts);
  return callerFieldsIn(
    parts.flatMap((part) =>
      typeof part === "string" ? [] : [{ root: callerRoot.name, path: [part.caller] }],
    ),
  );
}

function checkName({ key }: MapEntry, seen: Map<string, Span>, report: Report): boolean {
  const { span, value: name } = key;
  // PostgreSQL ignores case in names of settings.
  const twin = seen.get(name.toLowerCase());
  seen.set(name.toLowerCase(), twin ?? span);
  if (!customName.test(name)) {
    report.add({
      code: "sql/bad-set-config",
      span,
      message: name.includes(".")
        ? `${quote(name)} is not the name of a setting`
        : `${quote(name)} would be a setting of PostgreSQL itself`,
      help: "write two words of letters, digits and `_`, with a dot between them: `app.tenant`",
    });
    return false;
  }
  if (twin === undefined) return true;
  report.add({
    code: "sql/bad-set-config",
    span,
    message: `${quote(name)} is set twice: names of settings ignore case`,
    help: "keep one of the two",
    related: [{ span: twin, message: "the other one" }],
  });
  return false;
}

function readParts({ key, value }: MapEntry, report: Report): readonly SettingPart[] | undefined {
  const text = textNode(value);
  if (text !== undefined) return partsOf(text, report);
  report.add({
    code: "sql/bad-set-config",
    span: value.span.end > value.span.start ? value.span : key.span,
    message: "the value of a setting must be text",
    help: 'write its value: `"{caller.tenant}"`',
  });
  return undefined;
}

/**
 * Parses a setting's value. A setting applies to every tool, so parameters and secrets are not
 * allowed.
 */
function partsOf(text: TextNode, open: Report): readonly SettingPart[] | undefined {
  let isWhole = true;
  const report: Report = {
    ...open,
    // The template parser reports faults in general words, so the code changes to the one of this
    // setting.
    add: (diagnostic) => {
      isWhole = false;
      const isOfRoot = diagnostic.code === "sql/unknown-root-field";
      open.add(isOfRoot ? diagnostic : { ...diagnostic, code: "sql/bad-set-config" });
    },
  };
  const { parts, whole } = parseTemplate(text, sqlTemplates, report);
  if (whole) for (const part of parts) reportForeign(part, report);
  checkRoots({ type: "sql", roots: [callerRoot] }, rootsIn(parts), noParameters, report);
  if (!isWhole) return undefined;
  const field = callerFieldIn(text.value);
  if (field !== undefined)
    open.add({
      code: "sql/literal-parameter",
      span: text.span,
      ...callerAsText(text.value, field),
    });
  return parts.flatMap((part): readonly SettingPart[] => {
    if (part.kind === "literal") return [part.text];
    return part.kind === "root" ? part.path.map((caller) => ({ caller })) : [];
  });
}

function reportForeign(part: TextPart<"caller">, report: Report): void {
  if (part.kind !== "parameter" && part.kind !== "credential") return;
  const [written, why] =
    part.kind === "parameter"
      ? [`{${part.path.join(".")}}`, "is not a field of the caller, but all tools share a setting"]
      : [`\${${part.name}}`, "is a credential, which must not enter the session of a database"];
  report.add({
    code: "sql/bad-set-config",
    span: part.span,
    message: `\`${shown(written)}\` ${why}`,
    help: "write text, and `{caller.tenant}`, `{caller.subject}`, `{caller.origin}` or `{caller.trace}`",
  });
}

const noParameters: SchemaModel = {
  kind: "schema",
  schema: { type: "object", additionalProperties: false },
  span: { file: "", start: 0, end: 0 },
  places: {},
};
