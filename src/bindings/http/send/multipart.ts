/**
 * Bodies of `multipart/form-data` (RFC 7578). Names and file names are encoded as browsers do
 * (HTML, "multipart/form-data encoding algorithm"): a line end becomes `%0D%0A`, a quote `%22`, and
 * the rest stays as it is, in UTF-8. Unlike browsers, skillc also encodes other control characters.
 * It encodes a backslash at the end too, because some servers read it as the escape of the
 * following quote. Text keeps its line ends, and JSON is a part without a file name.
 */
import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { GivenFile, isWellFormedMediaType, RefusedValue } from "../../../runtime/executor.js";
import type { JsonValue } from "../../../runtime/json/json.js";
import {
  addCredentialNames,
  type CredentialText,
  isCredentialText,
  type Scalar,
} from "../../../runtime/values/text.js";
import { type Piece, wireBody } from "../../../kit/run/file-stream.js";
import { ExactInteger } from "../../../runtime/validation/int64.js";
import { jsonBody } from "./json-body.js";
import { requireOwnParts } from "./map-names.js";
import { MaskedFile } from "../../../kit/run/masked-file.js";
import { opened, Payload, type Reveal, wellFormed } from "./payloads.js";

/** One part, whose credentials are not opened yet. */
interface Part {
  readonly name: string;
  readonly type: string | undefined;
  readonly fileName?: string;
  readonly content: PartContent;
}

type PartContent =
  | { readonly kind: "text"; readonly text: string | CredentialText }
  | { readonly kind: "json"; readonly json: ReturnType<typeof jsonBody> }
  | { readonly kind: "file"; readonly file: GivenFile | MaskedFile };

type MediaType = Scalar | null | undefined;

/**
 * Makes a text part: one for each item of a list, and none for an absent or null value.
 *
 * @throws RefusedValue for text that is not well-formed Unicode
 */
export function textPart(
  name: string,
  value: Scalar | readonly (Scalar | null | undefined)[] | CredentialText | null | undefined,
  type?: MediaType,
): readonly Part[] {
  return listOf(value).map((each) => ({
    name,
    type: mediaType(type),
    content: {
      kind: "text",
      // A validator has accepted the value, so it is a scalar.
      text: isCredentialText(each) ? each : wellFormed(String(each as Scalar)),
    },
  }));
}

/** Makes a JSON part; none for an absent value. */
export function jsonPart(name: string, value: unknown, type?: MediaType): readonly Part[] {
  if (value === undefined) return [];
  const json = jsonBody(value);
  return [{ name, type: mediaType(type) ?? "application/json", content: { kind: "json", json } }];
}

/**
 * Makes a file part: one for each item of a list, and none for an absent or null value.
 *
 * @param value the call path's form of a file parameter
 * @param type takes precedence over the file's own; without either it is `application/octet-stream`
 */
export function filePart(name: string, value: unknown, type?: MediaType): readonly Part[] {
  return listOf(value).map((each) => {
    const file = each instanceof GivenFile ? each : new MaskedFile();
    return {
      name,
      type: mediaType(type) ?? file.type ?? "application/octet-stream",
      fileName: file instanceof GivenFile ? file.fileName : file.shown,
      content: { kind: "file", file },
    };
  });
}

/**
 * Makes the parts of an object with further fields, by its properties. Text, numbers and booleans
 * are text parts, and so is each item of a list of them. Other values are JSON. Absent and null
 * values are left out.
 *
 * @param taken names of the declared parts
 * @throws RefusedValue for a name that a declared part has, or for text that is not well-formed
 * Unicode
 */
export function fieldParts(
  fields: object | null | undefined,
  taken: readonly string[],
): readonly Part[] {
  if (fields === undefined || fields === null) return [];
  requireOwnParts(fields, taken, comparable);
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    const isText = listOf(value).every((each) => isScalar(each));
    // A list of scalars, or a scalar.
    return (isText ? textPart : jsonPart)(wellFormed(name), value as Scalar);
  });
}

/** The name as it is sent, without the backslashes that some servers read as escapes. */
function comparable(name: string): string {
  return quoted(name).replaceAll("\\", "");
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value instanceof ExactInteger;
}

function listOf(value: unknown): readonly unknown[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.filter((each) => each !== undefined && each !== null);
}

/** @throws RefusedValue for an invalid media type, because it becomes part of a header */
function mediaType(type: MediaType): string | undefined {
  if (type === undefined || type === null) return undefined;
  const text = String(type);
  if (isWellFormedMediaType(text)) return text;
  const message = "must be a media type such as `image/png`, because it is the type of a part";
  throw new RefusedValue("", "media-type", message, (part) => part === type);
}

/**
 * Makes a body of parts.
 *
 * @throws RefusedValue if two parts are the same stream
 */
export function multipart(parts: readonly (readonly Part[])[]): Payload {
  const all = parts.flat();
  const streams = new Set<GivenFile>();
  for (const { content } of all) {
    if (content.kind !== "file" || !(content.file instanceof GivenFile)) continue;
    const { file } = content;
    if (file.stream === true && streams.has(file))
      throw file.refused("is a stream, but is sent in two parts: pass `{ bytes }`");
    streams.add(file);
  }
  return new MultipartPayload(all);
}

class MultipartPayload extends Payload {
  readonly type = "multipart/form-data";
  /** Random, so that no content can contain it on purpose. */
  readonly boundary = `----skillc${randomBytes(16).toString("hex")}`;
  readonly credentials: readonly string[];
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    super();
    this.#parts = parts;
    const names: string[] = [];
    for (const { content } of parts) {
      if (content.kind === "json") names.push(...content.json.credentials);
      if (content.kind === "text" && typeof content.text !== "string")
        addCredentialNames(names, content.text.parts);
    }
    this.credentials = [...new Set(names)];
  }

  get isSpent(): boolean {
    return this.#parts.some(({ content }) => content.kind === "file" && content.file.isBegun);
  }

  /**
   * Describes the parts by name; a repeated name gives a list. A file is described by its known
   * properties.
   */
  describe(reveal: Reveal): JsonValue {
    return this.#byName(reveal, ({ shown }) => shown);
  }

  identify(reveal: Reveal): JsonValue {
    return this.#byName(reveal, ({ identity }) => identity);
  }

  #byName(reveal: Reveal, ofFile: (file: GivenFile | MaskedFile) => JsonValue): JsonValue {
    const fields = new Map<string, JsonValue[]>();
    for (const { content, name } of this.#parts) {
      const values = fields.get(name) ?? [];
      values.push(valueOf(content, reveal, ofFile));
      fields.set(name, values);
    }
    return Object.fromEntries(
      [...fields].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values]),
    );
  }

  open(reveal: Reveal): Uint8Array | Readable {
    const pieces: Piece[] = [];
    for (const part of this.#parts)
      pieces.push(this.#head(part), contentOf(part.content, reveal), lineEnd);
    pieces.push(Buffer.from(`--${this.boundary}--\r\n`));
    return wireBody(pieces);
  }

  #head({ fileName, name, type }: Part): Uint8Array {
    const file = fileName === undefined ? "" : `; filename="${quoted(fileName)}"`;
    const disposition = `Content-Disposition: form-data; name="${quoted(name)}"${file}`;
    const typed = type === undefined ? "" : `Content-Type: ${type}\r\n`;
    return Buffer.from(`--${this.boundary}\r\n${disposition}\r\n${typed}\r\n`);
  }
}

const lineEnd = Buffer.from("\r\n");

function quoted(name: string): string {
  return name.replace(/["\p{Cc}]|\\$/gu, encodeURIComponent);
}

function valueOf(
  content: PartContent,
  reveal: Reveal,
  ofFile: (file: GivenFile | MaskedFile) => JsonValue,
): JsonValue {
  if (content.kind === "file") return ofFile(content.file);
  return content.kind === "json" ? content.json.describe(reveal) : opened(content.text, reveal);
}

function contentOf(content: PartContent, reveal: Reveal): Piece {
  if (content.kind === "file") return MaskedFile.requireOpen(content.file);
  if (content.kind === "text") return Buffer.from(opened(content.text, reveal));
  // A JSON body is written as text.
  return Buffer.from(content.json.open(reveal) as string);
}
