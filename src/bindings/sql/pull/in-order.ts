/** Something that needs others, by their keys. */
export interface Node<Value> {
  readonly key: string;
  readonly value: Value;
  readonly needs: readonly string[];
}

/** The values in their order, but each behind what it needs, as far as nothing needs itself. Keys that no node has are passed over. */
export function inOrder<Value>(nodes: readonly Node<Value>[]): readonly Value[] {
  const byKey = new Map(nodes.map((each, index) => [each.key, { ...each, index }]));
  const seen = new Set<string>();
  const ordered: Value[] = [];
  for (const { key } of nodes) {
    const waiting = [{ key, isReady: false }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = byKey.get(next.key);
      if (node === undefined) continue;
      if (next.isReady) ordered.push(node.value);
      if (next.isReady || seen.has(node.key)) continue;
      seen.add(node.key);
      waiting.push({ key: node.key, isReady: true });
      const needed = node.needs.flatMap((each) => byKey.get(each) ?? []);
      // The last that is put down comes up first.
      for (const each of needed.toSorted((a, b) => b.index - a.index))
        waiting.push({ key: each.key, isReady: false });
    }
  }
  return ordered;
}
