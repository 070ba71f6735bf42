import type { YamlText } from "./compose-yaml.js";

/** Offsets into the file's text, `end` exclusive. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

/** The line that an offset is on, without its line break. */
export function lineAround(offset: number, source: YamlText): OffsetRange {
  const before = offset === 0 ? 0 : source.text.lastIndexOf("\n", offset - 1) + 1;
  const start = Math.max(before, source.start);
  const feed = source.text.indexOf("\n", offset);
  const end = feed === -1 ? source.end : Math.min(feed, source.end);
  return { start, end: end > offset && source.text[end - 1] === "\r" ? end - 1 : end };
}
