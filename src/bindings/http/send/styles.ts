import { deepestJson } from "../../../runtime/json/json.js";
import { RefusedValue } from "../../../runtime/executor.js";
import type { Scalar } from "../../../runtime/values/text.js";

/** How a list or an object is written where text goes, by OpenAPI's names. */
export type Style =
  "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** How a value with parts is written out. */
interface StyleOptions {
  /** The name that `matrix` writes. */
  readonly name?: string;
  /** Whether each part stands by itself. The style's own habit when not given. */
  readonly explode?: boolean;
  /** Whether characters that mean something in URLs stay as they are, where they can do no harm. */
  readonly reserved?: boolean;
  /** Whether a path may have parts that are `.` or `..`, and empty ones. */
  readonly dots?: boolean;
  /** Names that other maps may write beside it: it writes none of them. */
  readonly taken?: readonly string[];
}

/**
 * A value and its style (OpenAPI's, after RFC 6570), to be encoded where it stands. Told apart by
 * class: a caller whose parameter looks like one has sent an object.
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
 * Encodes one scalar for where it stands; of a name, nothing is left that could end it.
 *
 * @throws RefusedValue for what can't stand there
 */
type Encode = (value: Scalar, isName: boolean) => string;

/** The text of a value in a path, or in a header: `simple`, `label`, `matrix`. */
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

/** `name=`, or `name` alone where nothing comes after it (RFC 6570, 3.2.7). */
function named(name: string, text: string): string {
  return text === "" ? name : `${name}=${text}`;
}

const delimiters: Partial<Record<Style, string>> = {
  form: ",",
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
};

/**
 * The pairs of a value in a query, a form or cookies, encoded: `form`, `spaceDelimited`,
 * `pipeDelimited`, `deepObject`. None where it has no parts.
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

/** What parts of a list is encoded as it is inside of an item: the two can't be told apart. */
function delimiterInside(style: Style): RefusedValue {
  const what = { form: "a comma", spaceDelimited: "a space", pipeDelimited: "a `|`" };
  const found = what[style as keyof typeof what];
  return new RefusedValue(
    "",
    "style",
    `must hold no item with ${found}, which would be read as two`,
  );
}

/** `items[0][price]=…`, as Stripe, PHP and Rails read it: each level in brackets. */
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
  /** Encoded: of fields `key=value` where they explode, else keys and values in turn. */
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

/** Those that have a value. */
function fieldsOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(value ?? {}).filter(([, field]) => field !== undefined && field !== null);
}

/** @throws RefusedValue for a list or an object inside one, which no style but `deepObject` has */
function scalarOf(value: unknown): Scalar {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  throw new RefusedValue(
    "",
    "style",
    "must hold no lists and objects inside its own, which its style can't write",
  );
}
