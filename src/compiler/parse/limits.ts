/** Levels of nesting, aliases expanded. Hand-written schemas stay below 20. */
export const mostLevels = 100;

/** Maps, lists and scalars of one document, aliases expanded. */
export const mostNodes = 100_000;

/** Lexical tokens of one document: what bounds the time that reading takes. */
export const mostTokens = 300_000;

/**
 * Blank lines times comments. The parser looks through the blank lines above a comment again for every further comment, so a small
 * file of nothing else takes it minutes.
 */
export const mostBlankLinesTimesComments = 50_000_000;
