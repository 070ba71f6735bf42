/**
 * Decides where client secrets are sent. A document alone must not decide that, so the address of a
 * token endpoint becomes a setting of the project.
 */
import { parseTree } from "../../../compiler/parse/parse-json.js";
import { isJsonObject, type JsonValue } from "../../../core/json.js";
import { quote } from "../../../core/names.js";
import { collectDiagnostics } from "../../../core/report.js";
import { toJson } from "../../../core/syntax-node.js";
import type { SkillFiles } from "../../skills/print-files.js";
import { literalText } from "../../skills/texts.js";
import type { Note } from "../note.js";
import type { DocumentLocation } from "../read/document.js";

export interface TokenUrl {
  /** URL as the skill writes it: `${SHOP_URL}/token`, `${SHOP_TOKEN_URL}`, or a literal. */
  readonly text: string;
  /** Address in the document. */
  readonly address: string;
  /** The setting that contains only this address. */
  readonly ownSetting?: string;
}

export interface TokenUrls {
  written(
    address: string,
    scheme: { readonly clientId: string; readonly own: string; readonly at: DocumentLocation },
  ): TokenUrl;
  /** Returns notes about remaining literals, once each. */
  notes(): readonly Note[];
}

/**
 * @param api setting of the API's address, and the address in the document
 * @param literals literals of the last import, by the setting of their client's id
 */
export function createTokenUrls(
  api: { readonly use: () => string; readonly address?: string },
  literals: ReadonlyMap<string, string>,
): TokenUrls {
  const notes = new Map<string, Note>();
  return {
    notes: () => [...notes.values()],
    written(address, { at, clientId, own }) {
      const literal = literals.get(clientId);
      if (literal !== undefined) {
        notes.set(clientId, literalNote(literal, address, own, at));
        return { text: literal, address };
      }
      const rest = pathBelow(address, api.address);
      if (rest === undefined) return { text: `\${${own}}`, address, ownSetting: own };
      return { text: `\${${api.use()}}${literalText(rest)}`, address };
    },
  };
}

function literalNote(literal: string, address: string, own: string, at: DocumentLocation): Note {
  const other = literal === address ? "" : `, not to ${quote(address)} of the document`;
  return {
    code: "import/literal-token-url",
    at,
    message: `client secrets still go to ${quote(literal)}, the address of an earlier import${other}`,
    help: `to decide the address by a setting, write \`token_url: \${${own}}\` into metadata.yaml`,
  };
}

/** The part of an address after the whole base; undefined if the address begins otherwise. */
function pathBelow(address: string, base: string | undefined): string | undefined {
  if (base === undefined || !URL.canParse(base)) return undefined;
  const [whole, start] = [new URL(address), new URL(base)];
  const path = start.pathname.replace(/\/+$/, "");
  const isBelow = whole.pathname === path || whole.pathname.startsWith(`${path}/`);
  return whole.origin === start.origin && isBelow ? whole.pathname.slice(path.length) : undefined;
}

/**
 * Literal token endpoints that an import wrote and nobody replaced, by the setting of the client's
 * id.
 *
 * @param read returns the current text of a file
 */
export function literalTokenUrls(
  base: SkillFiles,
  read: (path: string) => string | undefined,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [path, text] of base) {
    if (!path.endsWith("/metadata.yaml")) continue;
    const now = new Map(literalsIn(read(path) ?? ""));
    for (const [clientId, url] of literalsIn(text))
      if (now.get(clientId) === url) found.set(clientId, url);
  }
  return found;
}

function literalsIn(text: string): readonly (readonly [clientId: string, tokenUrl: string])[] {
  if (!/token_url: *["']?https?:/.test(text)) return [];
  const tree = parseTree({ path: "metadata.yaml", text }, collectDiagnostics().report);
  return tree === undefined ? [] : visit(toJson(tree));

  function visit(value: JsonValue): readonly (readonly [string, string])[] {
    if (typeof value !== "object" || value === null) return [];
    // Values of JSON are JSON.
    const below = (Object.values(value) as JsonValue[]).flatMap(visit);
    const { client_id: client, token_url: url } = isJsonObject(value) ? value : {};
    const clientId = typeof client === "string" ? /^\$\{(\w+)\}$/.exec(client)?.[1] : undefined;
    const isLiteral = clientId !== undefined && typeof url === "string" && /^https?:/.test(url);
    return isLiteral ? [[clientId, url], ...below] : below;
  }
}
