import { deepestJson } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import type { Scalar } from "../../../runtime/values/text.js";

/** How a list or an object is written as text, by OpenAPI's names. */
export type Style =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** Options of a styled value. */
interface StyleOptions {
  /** The name that `matrix` writes. */
  readonly name?: string;
  /** True if each part is written separately. The default depends on the style. */
  readonly explode?: boolean;
  /** True if reserved characters stay unencoded where they are harmless. */
  readonly reserved?: boolean;
  /** True if a path may have parts that are `.`, `..` or empty. */
  readonly dots?: boolean;
  /** Names that other maps may write; this map must not write them. */
  readonly taken?: readonly string[];
}

/**
 * A value with a style (OpenAPI's, after RFC 6570), which is encoded later. It is recognized by
 * class: an argument that looks like one is a plain object.
 */
export class StyledValue {
  readonly value: unknown;
  readonly style: Style;
  readonly explode: boolean;
  readonly name: string;
  readonly reserved: boolean;
  readonly dots: boolean;
  readonly taken: readonly string[];

  constructor(value: unknown, style: Style, options: StyleOptions) {
    this.value = value;
    this.style = style;
    this.explode = options.explode ?? (style === "form" || style === "deepObject");
    this.name = options.name ?? "";
    this.reserved = options.reserved ?? false;
    this.dots = options.dots ?? false;
    this.taken = options.taken ?? [];
  }
}

/**
 * Gives a value a style; undefined if the value is absent or null, so that its entry is left out.
 */
export function styled(value: Scalar | object, style: Style, options?: StyleOptions): StyledValue;
export function styled(
  value: unknown,
  style: Style,
  options?: StyleOptions,
): StyledValue | undefined;
export function styled(
  value: unknown,
  style: Style,
  options: StyleOptions = {},
): StyledValue | undefined {
  return value === undefined || value === null ? undefined : new StyledValue(value, style, options);
}

/**
 * Encodes one scalar for its place. An encoded name contains no character that could end it.
 *
 * @throws RefusedValue for a value that the place can't contain
 */
type Encode = (value: Scalar, isName: boolean) => string;

/** The text of a value in a path or a header: `simple`, `label`, `matrix`. */
export function styledText(styled: StyledValue, encode: Encode): string {
  const { explode, name, style, value } = styled;
  const parts = partsOf(value, explode, encode);
  const key = style === "matrix" ? encode(name, true) : "";
  if (style === "label") return `.${parts.texts.join(explode ? "." : ",")}`;
  if (style !== "matrix") return parts.texts.join(",");
  if (!explode || parts.kind === "scalar") return `;${named(key, parts.texts.join(","))}`;
  if (parts.kind === "fields") return parts.texts.map((text) => `;${text}`).join("");
  return parts.texts.map((text) => `;${named(key, text)}`).join("");
}

/** `name=`, or only `name` for an empty value (RFC 6570, 3.2.7). */
function named(name: string, text: string): string {
  return text === "" ? name : `${name}=${text}`;
}

const delimiters: Partial<Record<Style, string>> = {
  form: ",",
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
};

/**
 * The encoded pairs of a value in a query, a form or cookies: `form`, `spaceDelimited`,
 * `pipeDelimited`, `deepObject`. Empty if the value has no parts.
 */
export function styledPairs(
  name: string,
  { explode, style, value }: StyledValue,
  encode: Encode,
): readonly (readonly [name: string, value: string])[] {
  if (style === "deepObject") return bracketPairs(name, value, encode);
  const delimiter = delimiters[style] ?? ",";
  const parts = partsOf(value, explode, encode);
  if (parts.texts.length === 0) return [];
  if (parts.kind === "scalar") return [[encode(name, true), parts.texts.join("")]];
  if (!explode) {
    if (parts.texts.some((text) => text.includes(delimiter))) throw delimiterInside(style);
    return [[encode(name, true), parts.texts.join(delimiter)]];
  }
  if (parts.kind === "items") return parts.texts.map((text) => [encode(name, true), text]);
  return fieldsOf(value).map(([key, field]) => [encode(key, true), encode(scalarOf(field), false)]);
}

/**
 * A separator inside an item is encoded like one between items, so that the two can't be
 * distinguished.
 */
function delimiterInside(style: Style): RefusedValue {
  const what = { form: "a comma", spaceDelimited: "a space", pipeDelimited: "a `|`" };
  const found = what[style as keyof typeof what];
  return new RefusedValue(
    "",
    "style",
    `must hold no item with ${found}, which would be read as two`,
  );
}

/** Writes `items[0][price]=…`, as Stripe, PHP and Rails read it: each level in brackets. */
function bracketPairs(
  name: string,
  value: unknown,
  encode: Encode,
  depth = 0,
): readonly (readonly [name: string, value: string])[] {
  if (value === undefined || value === null) return [];
  if (typeof value !== "object") return [[encode(name, true), encode(scalarOf(value), false)]];
  if (depth > deepestJson)
    throw new RefusedValue("", "depth", `must not nest deeper than ${deepestJson} levels`);
  return Object.entries(value).flatMap(([key, each]) =>
    bracketPairs(`${name}[${key}]`, each, encode, depth + 1),
  );
}

interface Parts {
  readonly kind: "scalar" | "items" | "fields";
  /** Encoded parts. Fields are `key=value` if exploded, and otherwise keys and values in turn. */
  readonly texts: readonly string[];
}

function partsOf(value: unknown, explode: boolean, encode: Encode): Parts {
  if (typeof value !== "object" || value === null)
    return { kind: "scalar", texts: [encode(scalarOf(value), false)] };
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const there = items.filter((item) => item !== null);
    return { kind: "items", texts: there.map((item) => encode(scalarOf(item), false)) };
  }
  const fields = fieldsOf(value).map(
    ([key, field]) => [encode(key, true), encode(scalarOf(field), false)] as const,
  );
  const texts = explode ? fields.map(([key, field]) => `${key}=${field}`) : fields.flat();
  return { kind: "fields", texts };
}

/** The fields that have a value. */
function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(value ?? {}).filter(([, field]) => field !== undefined && field !== null);
}

/** @throws RefusedValue for a nested list or object, which only `deepObject` can write */
function scalarOf(value: unknown): Scalar {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  throw new RefusedValue(
    "",
    "style",
    "must hold no lists and objects inside its own, which its style can't write",
  );
}
