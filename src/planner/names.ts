/** Decides if two names mean the same value. */

/**
 * Names that say nothing alone. They count only together with the name of their owner: `id` of
 * `customer` is `customer_id`.
 */
const namesWithoutOwner: ReadonlySet<string> = new Set([
  "address",
  "amount",
  "body",
  "code",
  "comment",
  "content",
  "count",
  "cursor",
  "data",
  "date",
  "description",
  "email",
  "end",
  "file",
  "files",
  "from",
  "id",
  "ids",
  "items",
  "key",
  "kind",
  "label",
  "labels",
  "limit",
  "list",
  "message",
  "name",
  "note",
  "notes",
  "number",
  "offset",
  "output",
  "page",
  "path",
  "per_page",
  "phone",
  "price",
  "query",
  "reason",
  "result",
  "results",
  "sort",
  "start",
  "state",
  "status",
  "subject",
  "summary",
  "text",
  "time",
  "title",
  "to",
  "total",
  "type",
  "url",
  "user",
  "value",
  "values",
]);

/**
 * Attributes that things of many kinds have. An input with such a name was named for the plan. In
 * an output it says something only together with its owner: `city` of `customer` is
 * `customer_city`, and perhaps not the `city` to search in.
 */
const attributes: ReadonlySet<string> = new Set([
  "assignee",
  "author",
  "category",
  "city",
  "color",
  "country",
  "created_at",
  "creator",
  "currency",
  "format",
  "height",
  "language",
  "length",
  "level",
  "locale",
  "manager",
  "method",
  "mode",
  "owner",
  "parent",
  "position",
  "priority",
  "quantity",
  "region",
  "role",
  "score",
  "severity",
  "size",
  "source",
  "street",
  "tags",
  "target",
  "time_zone",
  "timezone",
  "unit",
  "updated_at",
  "version",
  "weight",
  "width",
]);

/** First words of tools that give the thing in the rest of their name: `get-customer`. */
const givingVerbs: ReadonlySet<string> = new Set([
  "add",
  "create",
  "describe",
  "fetch",
  "find",
  "get",
  "limit",
  "list",
  "load",
  "look",
  "lookup",
  "open",
  "read",
  "retrieve",
  "search",
  "show",
  "update",
  "view",
]);

/** Words after which a tool's name says how it finds a thing: `get-user-by-email`. */
const prepositions: ReadonlySet<string> = new Set([
  "at",
  "by",
  "for",
  "from",
  "in",
  "of",
  "on",
  "to",
  "with",
]);

/** Formats that many values of a plan may have. Any other format says what a value is. */
const commonFormats: ReadonlySet<string> = new Set([
  "binary",
  "byte",
  "date",
  "date-time",
  "decimal",
  "double",
  "duration",
  "float",
  "int32",
  "int64",
  "password",
  "regex",
  "time",
  "uint32",
  "uint64",
  "uri",
  "uri-reference",
  "url",
  "uuid",
]);

/** Returns the words of a name, in lower case: `customerID`, `customer_id` and `customer-id` have the same. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** Returns a name in one spelling: `customer_id` for `customerID`. */
export function normalName(name: string): string {
  return wordsOf(name).join("_");
}

/** Checks if a name says nothing without its owner. */
export function needsOwner(name: string): boolean {
  return namesWithoutOwner.has(normalName(name));
}

/** Checks if things of many kinds have an attribute with this name. */
export function isAttribute(name: string): boolean {
  return attributes.has(normalName(name));
}

/**
 * Returns names of the thing that a tool gives, from the tool's own name: `customer` for
 * `get-customer`. Empty if the tool's name doesn't say it.
 */
export function givenBy(toolId: string): readonly string[] {
  const [verb = "", ...others] = wordsOf(toolId.slice(toolId.indexOf("/") + 1));
  if (!givingVerbs.has(verb) || others.length === 0) return [];
  const given = others[0] === "up" ? others.slice(1) : others;
  const end = given.findIndex((word) => prepositions.has(word));
  const thing = end === -1 ? given : given.slice(0, end);
  return thing.length === 0 ? [] : [thing.join("_")];
}

/** Returns the name of the thing that a tool acts on: `order` for `cancel-order`; empty for one word. */
export function objectOf(toolId: string): string {
  return wordsOf(toolId.slice(toolId.indexOf("/") + 1))
    .slice(1)
    .join("_");
}

/** Checks if a name identifies a thing, and does not describe it: `order_id`. */
export function isIdentifier(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? "";
  return ["id", "ids", "key", "keys", "number", "sha", "slug", "uuid"].includes(last);
}

/** Returns the name of one item of a list: `customer` for `customers`. */
export function singular(name: string): string {
  if (name.endsWith("ies") && name.length > 4) return `${name.slice(0, -3)}y`;
  if (/(?:s|x|ch|sh)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

/** Checks if a format says by itself what a value is: `email`, not `uuid`. */
export function isTellingFormat(format: unknown): format is string {
  return typeof format === "string" && !commonFormats.has(format);
}
