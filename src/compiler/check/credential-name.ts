import type { MapNode, SyntaxNode } from "../../core/syntax-node.js";

/**
 * A name for the credential that belongs in a field: `ORDERS_TOKEN` for `Authorization` where the binding's URL starts with
 * `${ORDERS_URL}` or `https://orders.example.com`.
 */
export function credentialName(field: string, binding: MapNode): string {
  const owner = ownerIn(binding);
  const own = fieldName(field);
  const name = owner === undefined || own.startsWith(`${owner}_`) ? own : `${owner}_${own}`;
  return /^[A-Z]/.test(name) ? name.slice(0, 64) : "API_TOKEN";
}

/** `X-API-Key` → `API_KEY` */
function fieldName(field: string): string {
  const name = upperSnake(field.replace(/^x-/i, ""));
  return ["AUTHORIZATION", "AUTH", ""].includes(name) ? "TOKEN" : name;
}

function upperSnake(text: string): string {
  return text
    .slice(0, 60)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_|_$/g, "")
    .toUpperCase();
}

/** What the binding talks to, by the first address in it. */
function ownerIn(binding: MapNode): string | undefined {
  for (const text of textsIn(binding)) {
    const reference =
      /^\s*\$\{([A-Za-z][A-Za-z0-9_]*?)(_?(URL|URI|HOST|ENDPOINT|BASE|ORIGIN))*\}/i.exec(text)?.[1];
    if (reference !== undefined) return upperSnake(reference);
    const host = /:\/\/(?:[^\s/?#@]*@)?([A-Za-z0-9.-]+)/.exec(text)?.[1];
    const label = host === undefined ? undefined : labelOf(host);
    if (label !== undefined) return upperSnake(label);
  }
  return undefined;
}

function textsIn(node: SyntaxNode): readonly string[] {
  if (node.kind === "scalar") return typeof node.value === "string" ? [node.value] : [];
  const nodes = node.kind === "list" ? node.items : node.entries.map((each) => each.value);
  return nodes.flatMap(textsIn);
}

/** The telling part of a host: `orders` of `orders.example.com` and of `api.orders.com`; none of an address or of `localhost`. */
function labelOf(host: string): string | undefined {
  const labels = host.toLowerCase().split(".");
  if (labels.length < 2 || /^[0-9]+$/.test(labels.at(-1) ?? "")) return undefined;
  return labels
    .slice(0, -1)
    .find((label) => /[a-z]/.test(label) && !/^(api|www|rest|gateway|v[0-9]+)$/.test(label));
}
