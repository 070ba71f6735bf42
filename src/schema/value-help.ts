import { shown } from "../core/names.js";
import { type SyntaxNode, textOf } from "../core/syntax-node.js";

/** A value of the wrong type, and what may stand there. */
export interface Misfit {
  /** The key that the value stands under; undefined for a whole document. */
  readonly key: string | undefined;
  readonly node: SyntaxNode | undefined;
  /** JSON Schema types that fit. */
  readonly types: readonly string[];
  /** Whether a mapping that fits has names of the author's choice. */
  readonly isFreeMapping: boolean;
}

/** How to write in the right form what was most likely meant; undefined where that can't be known. Values that may be secret are left out. */
export function helpForMisfit(misfit: Misfit): string | undefined {
  const { types } = misfit;
  if (types.includes("integer") || types.includes("number")) return inMilliseconds(misfit);
  if (types.includes("object")) return misfit.isFreeMapping ? asMapping(misfit) : undefined;
  return types.includes("array") ? asList(misfit) : undefined;
}

const unitInMs: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
]);

/** `5s`, `500 ms`, `2 minutes` */
function inMilliseconds({ key, node }: Misfit): string | undefined {
  const [, amount, unit] =
    /^(\d{1,6}(?:\.\d{1,3})?)\s*(ms|s|m)(?:ec|ecs|econds?|in|ins|inutes?)?$/i.exec(
      textOf(node) ?? "",
    ) ?? [];
  const factor = unitInMs.get(unit?.toLowerCase() ?? "");
  if (factor === undefined || !key?.endsWith("_ms")) return undefined;
  return `write \`${Math.round(Number(amount) * factor)}\`, in milliseconds`;
}

function asMapping({ key, node }: Misfit): string | undefined {
  if (key === undefined || node === undefined) return undefined;
  const pairs = pairsIn(node) ?? ["name: value"];
  return `write \`${shown(key)}: { ${pairs.join(", ")} }\``;
}

/** Names, with their values where those are placeholders: `q={q}&page=2`, `[{ X-Id: "{id}" }]`. */
function pairsIn(node: SyntaxNode): readonly string[] | undefined {
  const texts =
    node.kind === "list" ? node.items.map(pairText) : textOf(node)?.replace(/^\?/, "").split("&");
  const pairs = texts?.map((text) => /^\s*([\w.-]{1,40})\s*[=:]\s*(.*?)\s*$/s.exec(text ?? ""));
  if (pairs === undefined || pairs.length > 5) return undefined;
  const written = pairs.flatMap((pair) =>
    pair?.[1] === undefined ? [] : [`${pair[1]}: ${valueOf(pair[2])}`],
  );
  return written.length === pairs.length && written.length > 0 ? written : undefined;
}

function pairText(item: SyntaxNode): string | undefined {
  const [only, ...others] = item.kind === "map" ? item.entries : [];
  if (only === undefined) return textOf(item);
  return others.length > 0 ? undefined : `${only.key.value}: ${textOf(only.value) ?? ""}`;
}

function valueOf(text = ""): string {
  return /^(?:\{[\w.-]{1,40}\}|\$\{\w{1,40}\})$/.test(text) ? `"${text}"` : "…";
}

function asList({ node }: Misfit): string | undefined {
  const text = textOf(node);
  const isName = text !== undefined && /^[A-Za-z_][\w-]{0,39}$/.test(text);
  if (isName) return `write \`[${text}]\``;
  return node?.kind === "scalar" && node.value !== null
    ? "write it as a list, between `[` and `]`"
    : undefined;
}
