import type { UnratedDiagnostic } from "../core/diagnostic.js";
import { quote } from "../core/names.js";
import type { Report } from "../core/report.js";
import { entryOf, type MapNode, type SyntaxNode, textOf } from "../core/syntax-node.js";
import { type Dialect, keywordIn } from "./keywords.js";
import { siblingsIgnored } from "./source-subschemas.js";
import { didYouMean } from "./suggestion.js";

/**
 * Reports names in `required` that `properties` beside it doesn't declare. A closed object can then
 * have no value; in an open object the name is probably misspelt. Reports nothing if another schema
 * may declare the name.
 */
export function checkRequired(node: MapNode, dialect: Dialect, report: Report): void {
  const required = entryOf(node, "required")?.value;
  const properties = entryOf(node, "properties")?.value;
  if (required?.kind !== "list" || properties?.kind !== "map") return;
  const names = opennessOf(node, dialect);
  if (names === "unknown") return;
  const declared = properties.entries.map(({ key }) => key.value);
  const written = new Set(required.items.map(textOf));
  const free = declared.filter((name) => !written.has(name));
  for (const item of required.items) {
    const name = textOf(item);
    if (name === undefined || declared.includes(name)) continue;
    const help = didYouMean(name, free) ?? `declare ${quote(name)} under \`properties\``;
    report.add({ ...notDeclared(quote(name), names), span: item.span, help });
  }
}

function notDeclared(
  name: string,
  names: "open" | "closed",
): Pick<UnratedDiagnostic, "code" | "message"> {
  return names === "closed"
    ? {
        code: "schema/impossible-required",
        message: `${name} is required but not allowed: no value can fit`,
      }
    : {
        code: "schema/undeclared-required",
        message: `${name} is required, and \`properties\` does not declare it`,
      };
}

/**
 * Checks if an object may have names other than those in `properties`. `unknown` if another schema
 * may describe some of them.
 */
function opennessOf(node: MapNode, dialect: Dialect): "open" | "closed" | "unknown" {
  const additional = entryOf(node, "additionalProperties")?.value;
  const unevaluated = entryOf(node, "unevaluatedProperties")?.value;
  const describesByPattern = entryOf(node, "patternProperties") !== undefined;
  if (describesByPattern || siblingsIgnored(node, dialect)) return "unknown";
  if (isBoolean(additional, false)) return "closed";
  const describesOthers =
    node.entries.some(
      ({ key: { value: name } }) => references.has(name) || isInPlace(name, dialect),
    ) || !(additional === undefined || isBoolean(additional, true));
  if (describesOthers) return "unknown";
  if (isBoolean(unevaluated, false)) return "closed";
  return unevaluated === undefined || isBoolean(unevaluated, true) ? "open" : "unknown";
}

const references: ReadonlySet<string> = new Set(["$ref", "$dynamicRef", "$recursiveRef"]);

function isInPlace(name: string, dialect: Dialect): boolean {
  return keywordIn(dialect, name)?.inPlace === true;
}

function isBoolean(node: SyntaxNode | undefined, value: boolean): boolean {
  return node?.kind === "scalar" && node.value === value;
}
