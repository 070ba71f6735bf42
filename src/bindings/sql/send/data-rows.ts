const dataRow = "D".charCodeAt(0);
const rowDescription = "T".charCodeAt(0);

/**
 * The rows in the messages of an answer. PGlite's own reader takes U+FEFF at the start of a text for a byte order mark, and drops it.
 *
 * @param answer messages of PostgreSQL's protocol: a letter, the length of what follows, length included, and that
 */
export function* dataRowsIn(answer: Uint8Array): Iterable<readonly (string | null)[]> {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] === dataRow) yield fieldsAt(bytes, at + 5);
  }
}

/** The names of the columns, for the same reason; undefined where no message describes rows. */
export function columnNamesIn(answer: Uint8Array): readonly string[] | undefined {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1)) {
    if (bytes[at] === rowDescription) return namesAt(bytes, at + 5);
  }
  return undefined;
}

/** How many there are, then of each its name, which a zero byte ends, and 18 bytes about its table and type. */
function namesAt(bytes: Buffer, start: number): readonly string[] {
  const names: string[] = [];
  const count = bytes.readUInt16BE(start);
  let at = start + 2;
  while (names.length < count) {
    const end = bytes.indexOf(0, at);
    names.push(bytes.toString("utf8", at, end));
    at = end + 1 + 18;
  }
  return names;
}

/** How many there are, then of each its length, or -1 for NULL, and its text. */
function fieldsAt(bytes: Buffer, start: number): readonly (string | null)[] {
  const fields: (string | null)[] = [];
  const count = bytes.readUInt16BE(start);
  let at = start + 2;
  while (fields.length < count) {
    const length = bytes.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : bytes.toString("utf8", at, at + length));
    at += Math.max(length, 0);
  }
  return fields;
}
