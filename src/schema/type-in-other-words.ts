/** JSON Schema keywords for the type names of other languages. */
const keywordsByName: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: "type: string",
    str: "type: string",
    text: "type: string",
    number: "type: number",
    num: "type: number",
    float: "type: number",
    double: "type: number",
    decimal: "type: number",
    integer: "type: integer",
    int: "type: integer",
    long: "type: integer",
    boolean: "type: boolean",
    bool: "type: boolean",
    array: "type: array",
    list: "type: array",
    tuple: "type: array",
    object: "type: object",
    dict: "type: object",
    map: "type: object",
    json: "type: object",
    date: "type: string, format: date",
    time: "type: string, format: time",
    datetime: "type: string, format: date-time",
    "date-time": "type: string, format: date-time",
    timestamp: "type: string, format: date-time",
    duration: "type: string, format: duration",
    uuid: "type: string, format: uuid",
    email: "type: string, format: email",
    uri: "type: string, format: uri",
    url: "type: string, format: uri",
    enum: "type: string, enum: […]",
    null: 'type: "null"',
    none: 'type: "null"',
  }),
);

/** Every type except null. A parameter needs a stated type, so `any` can't stay open. */
const anything = "type: [string, number, boolean, array, object]";

const list =
  /^(?:(?:array|list|set|sequence)\s*[<[(]\s*(.+?)\s*[>\])]|(.+?)\s*\[\s*\]|\[\s*(.+?)\s*\])$/i;
const maxLevels = 4;

/**
 * Translates a type of another language (`int`, `string[]`, `list[str]`, `string | null`, `date`)
 * to JSON Schema keywords, as written between the braces of a YAML mapping. Undefined if the text
 * is not such a type.
 */
export function typeInOtherWords(written: string, levels = maxLevels): string | undefined {
  if (written.length > 100 || levels === 0) return undefined;
  const text = written.trim();
  const items = list
    .exec(text)
    ?.slice(1)
    .find((each) => each !== undefined);
  if (items !== undefined) {
    const inner = typeInOtherWords(items, levels - 1);
    return inner === undefined ? undefined : `type: array, items: { ${inner} }`;
  }
  if (text.includes("|")) return unionInOtherWords(text.split("|").map((each) => each.trim()));
  const name = text.toLowerCase();
  return name === "any" || name === "unknown" ? anything : keywordsByName.get(name);
}

/** Translates a union of types without further keywords, or of quoted texts. */
function unionInOtherWords(parts: readonly string[]): string | undefined {
  const texts = parts.map((each) => /^(["'])([\w -]+)\1$/.exec(each)?.[2]);
  if (texts.every((each) => each !== undefined)) return `type: string, enum: [${texts.join(", ")}]`;
  const types = parts.map(
    (each) => /^type: ("?\w+"?)$/.exec(keywordsByName.get(each.toLowerCase()) ?? "")?.[1],
  );
  return types.every((each) => each !== undefined) ? `type: [${types.join(", ")}]` : undefined;
}
