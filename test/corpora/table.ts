import type { Judged } from "./judged.js";

/** What became of all documents: by class, by error, and beside openapi-typescript. */
export function tableOf(results: readonly Judged[]): string {
  const sum = (number: (each: Judged) => number, of = results) =>
    of.reduce((total, each) => total + number(each), 0);
  const outcomes = counted(results.map(({ outcome }) => outcome));
  const errors = new Map<string, number>();
  for (const each of results)
    for (const [code, { count }] of Object.entries(each.errors))
      errors.set(code, (errors.get(code) ?? 0) + count);
  const both = results.filter(
    ({ other, outcome }) => other !== null && /^(?:whole|but)/.test(outcome),
  );
  const lines = [
    `${results.length} documents, ${sum(({ size }) => size)} bytes, ${sum(({ operations }) => operations)} operations`,
    `taken whole ${sum(({ taken }) => taken.whole)}, in part ${sum(({ taken }) => taken.part)}, left out ${sum(({ taken }) => taken.no)}; lost ${sum(({ lost }) => lost.length)}`,
    "",
    ...[...outcomes].map(([outcome, count]) => `${String(count).padStart(5)}  ${outcome}`),
    "",
    ...[...errors].map(([code, count]) => `${String(count).padStart(5)}  tools with ${code}`),
    "",
    `${both.length} documents that both compile: skillc ${sum(({ ms }) => ms.import + ms.generate, both)} ms, ${sum(({ bytes }) => bytes, both)} bytes; openapi-typescript ${sum(({ other }) => other?.ms ?? 0, both)} ms, ${sum(({ other }) => other?.bytes ?? 0, both)} bytes`,
  ];
  return lines.join("\n");
}

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}
