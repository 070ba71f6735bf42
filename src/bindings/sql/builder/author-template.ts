import { scanSync } from "libpg-query";
import type { Statement } from "../statement/statement.js";
import { unknownType, type Chain } from "./chain.js";

/** The author's own text as one template, a hole for each parameter. */
export function authorTemplate({ sql, placeholders }: Statement): Chain {
  const bytes = Buffer.from(sql);
  const strings: string[] = [];
  const values: Chain[] = [];
  let end = 0;
  for (const token of scanSync(sql).tokens) {
    const number = /^\$(\d+)$/.exec(token.text)?.[1];
    const placeholder = number === undefined ? undefined : placeholders[Number(number) - 1];
    if (token.tokenName !== "PARAM" || placeholder === undefined) continue;
    strings.push(bytes.toString("utf8", end, token.start));
    values.push({ kind: "parameter", name: placeholder.name });
    end = token.end;
  }
  return {
    kind: "template",
    type: unknownType,
    strings: [...strings, bytes.toString("utf8", end)],
    values,
  };
}
