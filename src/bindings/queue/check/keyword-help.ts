import { stringify } from "yaml";
import type { JsonObject } from "../../../core/json.js";

const inOneLine = {
  collectionStyle: "flow",
  flowCollectionPadding: false,
  singleQuote: true,
  lineWidth: 0,
  compat: "yaml-1.1",
} as const;

/** `type: string, format: date`, as it would stand in a file: in YAML, or in JSON by its name. */
export function keywordsAsWritten(keywords: JsonObject, file: string): string {
  const text = file.endsWith(".json")
    ? Object.entries(keywords)
        .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
        .join(", ")
    : stringify(keywords, inOneLine).trim().slice(1, -1);
  return `\`${text}\``;
}
