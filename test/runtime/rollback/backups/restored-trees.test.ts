/** Whatever a call makes of a tree, restoring brings the same tree back. */
import fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unicodeCharacter } from "../../../support/unicode-text.js";
import { keptProject } from "./kept.js";
import { describeTree } from "./trees.js";

type Node =
  | {
      readonly kind: "file";
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly ms: number;
    }
  | { readonly kind: "link"; readonly target: string }
  | {
      readonly kind: "folder";
      readonly entries: Entries;
      readonly mode: number;
      readonly ms: number;
    };
type Entries = Readonly<Record<string, Node>>;

// Few names, so that the two trees often have entries of the same name.
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("a", "b", "a-b", "a.b", "ä", "-rf", " ") },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: unicodeCharacter, minLength: 1, maxLength: 20 })
      .filter((each) => !/[/\0]|^\.\.?$|^__proto__$|^\.skillc-/.test(each)),
  },
);
const mode = fc.constantFrom(0o644, 0o600, 0o755, 0o444, 0o4755, 0o1777, 0o000);
const ms = fc.integer({ min: 0, max: 4_000_000_000_000 });
const { tree } = fc.letrec<{ readonly tree: Entries; readonly node: Node }>((tie) => ({
  tree: fc.dictionary(name, tie("node"), { maxKeys: 5 }),
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("file" as const), bytes: fc.uint8Array(), mode, ms }),
    fc.record({ kind: fc.constant("link" as const), target: name }),
    fc.record({ kind: fc.constant("folder" as const), entries: tie("tree"), mode, ms }),
  ),
}));

function make(folder: string, entries: Entries): void {
  for (const [each, node] of Object.entries(entries)) {
    const place = join(folder, each);
    if (node.kind === "link") fs.symlinkSync(node.target, place);
    else {
      if (node.kind === "file") fs.writeFileSync(place, node.bytes);
      else {
        fs.mkdirSync(place);
        make(place, node.entries);
      }
      fs.chmodSync(place, node.mode);
      fs.utimesSync(place, node.ms / 1000, node.ms / 1000);
    }
  }
}

// Permissions bind only other users than root.
test.skipIf(process.getuid?.() !== 0)(
  "any tree is the same after any other in its place",
  async () => {
    await fc.assert(
      fc.asyncProperty(tree, tree, async (first, second) => {
        const { at, change, restore } = keptProject({ notes: { folder: true } });
        make(at("notes"), first);
        const before = describeTree(at("notes"));
        await change("one", ["notes"], () => {
          fs.rmSync(at("notes"), { recursive: true });
          fs.mkdirSync(at("notes"));
          make(at("notes"), second);
        });
        const left = describeTree(at("notes"));
        expect(await restore({ call: "one", by: "two" })).toMatchObject({ status: "restored" });
        expect(describeTree(at("notes"))).toEqual(before);
        expect(await restore({ call: "two", by: "three" })).toMatchObject({ status: "restored" });
        expect(describeTree(at("notes"))).toEqual(left);
      }),
      { numRuns: 60 },
    );
  },
);
