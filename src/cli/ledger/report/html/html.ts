import { printable } from "../../console-style.js";

/**
 * HTML markup. Only `html` creates it, and escapes all text, because parameters in a ledger are
 * untrusted.
 */
export class Html {
  readonly #text: string;

  constructor(fixed: TemplateStringsArray, holes: readonly Hole[]) {
    this.#text = fixed.reduce(
      (text, each, index) => text + each + (index < holes.length ? print(holes[index]) : ""),
      "",
    );
  }

  toString(): string {
    return this.#text;
  }
}

export type Hole = Html | readonly Html[] | string | number | undefined;

/**
 * Makes markup of a template literal. Text and numbers in its holes are escaped, in content and in
 * quoted attributes.
 */
export function html(fixed: TemplateStringsArray, ...holes: readonly Hole[]): Html {
  return new Html(fixed, holes);
}

export const nothing = html``;

function print(hole: Hole): string {
  if (hole === undefined) return "";
  if (hole instanceof Html) return hole.toString();
  if (typeof hole === "object") return hole.join("");
  return escapeText(typeof hole === "number" ? String(Math.round(hole * 100) / 100) : hole);
}

const entities: { readonly [char: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

function escapeText(text: string): string {
  return printable(text).replace(/[&<>"'`]/g, (char) => entities[char] ?? "");
}
