import type { Chain, ChainType } from "../../../../src/bindings/sql/builder/chain.js";

/**
 * Returns a copy of the chain for each reference that `tsc` should check, with the reference
 * misspelt.
 */
export function mutantsOf(chain: Chain): readonly Chain[] {
  switch (chain.kind) {
    case "literal":
      return chain.sees ? [{ ...chain, value: misspelt(String(chain.value)) }] : [];
    case "member":
      return mutantsOf(chain.on).map((on) => ({ ...chain, on }));
    case "call":
    case "apply":
      return [
        ...mutantsOf(chain.on).map((on) => ({ ...chain, on })),
        ...mutantsOfEach(chain.arguments).map((given) => ({ ...chain, arguments: given })),
      ];
    case "list":
      return mutantsOfEach(chain.items).map((items) => ({ ...chain, items }));
    case "lambda":
      return mutantsOf(chain.body).map((body) => ({ ...chain, body }));
    case "record":
      return recordMutants(chain);
    case "template":
      return [
        ...rowMutants(chain.type).map((type) => ({ ...chain, type })),
        ...mutantsOfEach(chain.values).map((values) => ({ ...chain, values })),
      ];
    default:
      return [];
  }
}

function mutantsOfEach(chains: readonly Chain[]): readonly (readonly Chain[])[] {
  return chains.flatMap((each, index) =>
    mutantsOf(each).map((mutant) => chains.with(index, mutant)),
  );
}

function recordMutants(chain: Extract<Chain, { kind: "record" }>): readonly Chain[] {
  const { entries } = chain;
  const keys = chain.sees
    ? entries.map(([key, value], index) => entries.with(index, [misspelt(key), value] as const))
    : [];
  const values = mutantsOfEach(entries.map(([, value]) => value)).map((all) =>
    entries.map(([key, value], index) => [key, all[index] ?? value] as const),
  );
  return [...keys, ...values].map((each) => ({ ...chain, entries: each }));
}

function rowMutants(type: ChainType): readonly ChainType[] {
  return type.kind === "row" ? [{ ...type, table: misspelt(type.table) }] : [];
}

function misspelt(name: string): string {
  const [first = "", ...rest] = name.split(" as ");
  return [`${first}_zz`, ...rest].join(" as ");
}
