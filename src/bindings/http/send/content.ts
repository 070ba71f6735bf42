import { deepestJson, isTooDeep, NumberTooLarge, parseJson } from "../../../runtime/json/json.js";
import { type JsonValue, UnreadableAnswer } from "../../../runtime/sink.js";

/** What a body is, by its content type; `unknown` when there is none. */
interface Content {
  readonly kind: "json" | "text" | "unknown";
  readonly charset: string;
}

/**
 * The body of a success: JSON content types and bodies without a type are JSON, everything else is text. Null when it is empty.
 *
 * @throws UnreadableAnswer for JSON that is none or nests too deep or has a number beyond JavaScript's, bytes that are not in their charset, an unknown charset
 */
export function parseBody(body: Uint8Array, type: string | undefined): JsonValue {
  if (body.length === 0) return null;
  const { kind, charset } = contentOf(type);
  const text = decodeText(body, charset);
  if (kind === "text") return text;
  if (isTooDeep(text)) {
    throw new UnreadableAnswer(`the JSON of the body nests deeper than ${deepestJson} levels`);
  }
  const parsed = parsedBody(text);
  if (parsed !== undefined) return parsed;
  if (kind === "unknown") return text;
  throw new UnreadableAnswer("the body is not JSON, though its content type says so");
}

/** The body of any other answer: as good as it can be read. What went wrong there is in the status already. */
export function parseFault(body: Uint8Array, type: string | undefined): JsonValue {
  try {
    return parseBody(body, type);
  } catch {
    return lenient.decode(body);
  }
}

/** Undefined when it is no JSON. @throws UnreadableAnswer for a number that can't be held */
function parsedBody(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof NumberTooLarge)) return undefined;
    throw new UnreadableAnswer(
      "the JSON of the body has a number that is too large for JavaScript's",
    );
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** Takes a byte order mark off. */
function decodeText(body: Uint8Array, charset: string): string {
  const decoder = charset === "utf-8" ? utf8 : decoderFor(charset);
  try {
    return decoder.decode(body);
  } catch {
    throw new UnreadableAnswer("the body has bytes that are not in its charset");
  }
}

function decoderFor(charset: string): typeof utf8 {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new UnreadableAnswer("the body has an unknown charset");
  }
}

/** Content types seen so far: a server has few. */
const known = new Map<string, Content>();
const mostKnown = 100;

function contentOf(type: string | undefined): Content {
  if (type === undefined) return { kind: "unknown", charset: "utf-8" };
  const before = known.get(type);
  if (before !== undefined) return before;
  const content = parseContentType(type);
  if (known.size >= mostKnown) known.clear();
  known.set(type, content);
  return content;
}

function parseContentType(type: string): Content {
  const [essence = "", ...parameters] = type.split(";").map((each) => each.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith("charset="))?.slice("charset=".length);
  return {
    kind: /(?:\/|\+)json$/.test(essence) ? "json" : "text",
    charset: charset?.replaceAll('"', "") ?? "utf-8",
  };
}
