/** Text that tries to become code, at every place for an author's text. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileFiles } from "../../support/compile.js";
import { brokenPromises } from "./broken-promises.js";
import { compileUntyped, type Untyped } from "./compile-untyped.js";
import { type Fill, hostileProject, places } from "./hostile-skill.js";
import { type ModuleShape, shapeOf } from "./module-shape.js";
import { runs } from "../../support/runs.js";
import { unicodeText } from "../../support/unicode-text.js";

type Place = (typeof places)[number];

const hostile: Readonly<Record<string, string>> = {
  "end of a comment": "*/ process.exit(1); /*",
  "template literal": "`${process.exit(1)}`",
  "line separators": "a\u2028process.exit(1)\u2029b\u0085c",
  "backslash and quote": "\\\"; process.exit(1); '\\'",
  "end of a script": "</script><!-- --><script>",
  prototype: "__proto__",
  "inherited member": "constructor",
  "line ends": "a\r\nprocess.exit(1)\rb\nc",
  nul: "\0",
  "half a character": "\ud800",
  "directions and joiners": "\u202eab\u202c\u2066c\u2069\u200b\ufeff\u061c",
  "tags that nobody sees": "\u{e0001}\u{e0065}\u{e0076}",
  nothing: "",
  "very long": "long ".repeat(150),
  "line comment": "// process.exit(1)",
  directive: "@ts-ignore",
  "directive in a line": "\n@ts-nocheck\n// @ts-expect-error\n/// <reference path='/etc/passwd' />",
  tag: "@deprecated\n@type {number}\n * @internal",
  call: "eval('1')",
  "placeholders of the templates": "{{this}} \ue0000\ue001 {{{body}}}",
  "tokens of the types": "T0Z K1Z V2Z D3Z",
  "one token of the types": "K0Z",
  pointer: "a/b~c%2F#",
  "beyond Latin": "\u{1f469}\u200d\u{1f467} \u6f22\u5b57 \u00e9",
  controls: "\u0001\u001b[31m\u007f\u009b",
  "private notation": "#!/usr/bin/env node",
  "reserved word": "class",
};

/** What a place can hold of the text; what it can't is a diagnostic, and tested where that is made. */
function fitting(place: string, text: string): string {
  const unfit = limits[place as Place];
  return unfit === undefined ? text : text.replace(unfit, "");
}

const loneSurrogates = /\p{Cs}/gu;
const notInNames = /[{}\p{Cs}]/gu;
const notInJsonPath = /[\p{Cc}\p{Cs}]/gu;
const limits: { readonly [P in Place]?: RegExp } = {
  "header value": /[^\t -~\u00a0-\u00ff]/g,
  "definition key": loneSurrogates,
  url: loneSurrogates,
  "url query": loneSurrogates,
  "query key": notInNames,
  "query value": loneSurrogates,
  "body key": notInNames,
  "body text": loneSurrogates,
  "body inner key": notInNames,
  "body inner text": loneSurrogates,
  "mapped path": notInJsonPath,
  "error path": notInJsonPath,
  filter: notInJsonPath,
};

const plainText = (place: string) => `plain${places.indexOf(place as Place)}`;
const plain: Fill = plainText;

/** Places of names that models pass, some of which have another name for models. */
const modelNames: readonly string[] = ["key", "other key", "nested key", "dependent", "number key"];

/** Harmless texts. A name has another name for models if that of `fill` has one. */
const harmlessLike =
  (fill: Fill): Fill =>
  (place) =>
    modelNames.includes(place) && !/^[a-zA-Z0-9_.-]{1,64}$/.test(fill(place))
      ? `${plainText(place)} `
      : plainText(place);
const only =
  (at: Place, text: string): Fill =>
  (place) =>
    place === at ? fitting(place, text) : plainText(place);
/** Everywhere, and everywhere another text. */
const everywhere =
  (text: string): Fill =>
  (place) =>
    fitting(place, `${text}${plainText(place)}${text}`);

async function compiled(fill: Fill): Promise<Untyped> {
  const files = hostileProject("desk", fill);
  const result = await compileUntyped(files);
  expect(brokenPromises(result, files)).toEqual([]);
  return result;
}

/** Each file's shape; a catalog's is its data with every text blanked. */
function shapesOf({ files }: Untyped): ReadonlyMap<string, ModuleShape> {
  const modules = files.filter((file) => file.path.endsWith(".ts"));
  const answer = modules.find(({ path }) => path === "desk/schemas/answer.ts");
  const [, name = ""] = /^export (?:type|interface) (\w+)/m.exec(answer?.text ?? "") ?? [];
  // The type of a shared schema is called after the letters of its title.
  const names = new Map([
    [name, "Answer"],
    [`validate${name}`, "validateAnswer"],
  ]);
  return new Map(
    modules.map(({ path, text }) => {
      const shape = shapeOf(path, text);
      return [path, { ...shape, nodes: shape.nodes.map((each) => names.get(each) ?? each) }];
    }),
  );
}

/** Line separators, controls, directions, tags and halves of characters: none of them may stand in a file as they are. */
const unseen = /[^\P{Cc}\n]|[\p{Cf}\p{Cs}\u2028\u2029]/u;

/** Names that Ajv can't look up as they are: it is given patterns for them, which make another validator. */
function needsPattern(name: string): boolean {
  return name === "__proto__" || /\p{Cs}/u.test(name);
}

/** How the output differs from that of harmless texts, but for the texts; each must be there as often as the harmless one in its place. */
function differences(fill: Fill, is: Untyped, harmless: Shapes): readonly string[] {
  const errors = is.diagnostics.filter((each) => each.severity === "error");
  const raw = is.files.filter(({ text }) => unseen.test(text));
  const shapes = shapesOf(is);
  return [
    ...errors.map((each) => `${each.code}: ${each.message}`),
    ...raw.map(({ path }) => `${path} holds what nobody sees`),
    ...[...harmless.keys()].filter((path) => !shapes.has(path)).map((path) => `no ${path}`),
    ...[...shapes].flatMap(([path, shape]) => deviations(path, fill, shape, harmless.get(path))),
  ];
}

type Shapes = ReadonlyMap<string, ModuleShape>;

function deviations(
  path: string,
  fill: Fill,
  is: ModuleShape,
  wanted: ModuleShape | undefined,
): readonly string[] {
  if (wanted === undefined) return [`${path} is new`];
  const found = is.orders.filter((each) => !wanted.orders.includes(each));
  const orders = found.map((each) => `${path} gives TypeScript the order ${each}`);
  const isOther =
    path.endsWith(".validate.ts") && places.some((place) => needsPattern(fill(place)));
  if (isOther) return orders;
  const at = is.nodes.findIndex((each, index) => each !== wanted.nodes[index]);
  const isSame = at < 0 && is.nodes.length === wanted.nodes.length;
  const lost = inOutput.filter(
    (place) =>
      (is.texts.get(fill(place)) ?? 0) < (wanted.texts.get(harmlessLike(fill)(place)) ?? 0),
  );
  return [
    ...orders,
    ...(isSame ? [] : [`${path} has ${is.nodes[at]} for ${wanted.nodes[at]}`]),
    ...lost.map((place) => `${path} lost the ${place}`),
  ];
}

/** Definitions get plain names of their own. */
const inOutput = places.filter((place) => place !== "definition key");

const harmless = compiled(plain).then(shapesOf);
const harmlessShapes = new Map<string, Promise<Shapes>>();

/** Shapes of the output of harmless texts that need the same code as those of `fill`. */
function harmlessFor(fill: Fill): Promise<Shapes> {
  const like = harmlessLike(fill);
  const key = modelNames.map(like).join();
  const known = harmlessShapes.get(key) ?? compiled(like).then(shapesOf);
  harmlessShapes.set(key, known);
  return known;
}

test("every place of the skill appears in its output", async () => {
  const texts = [...(await harmless).values()]
    .flatMap((shape) => [...shape.texts.keys()])
    .join(" ");
  const absent = places.filter((place) => !new RegExp(`${plainText(place)}(?!\\d)`).test(texts));
  expect(absent).toEqual(["rollback", "comment", "other key"]);
});

describe("hostile text at every place of a skill at once", () => {
  test.each(Object.entries(hostile))("changes no generated code: %s", async (_, text) => {
    const fill = everywhere(text);
    expect(differences(fill, await compiled(fill), await harmlessFor(fill))).toEqual([]);
  });
});

test("hostile text at any one place of a skill changes no generated code", async () => {
  let passed = 0;
  const text = fc.oneof(
    fc.constantFrom(...Object.values(hostile).filter((each) => each.length < 100)),
    unicodeText({ maxLength: 12 }),
    fc
      .array(fc.constantFrom(...Object.values(hostile)), { minLength: 2, maxLength: 3 })
      .map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), text, async (place, each) => {
      const fill = only(place, each);
      const result = await compiled(fill);
      if (result.files.length === 0) return;
      passed += 1;
      expect(differences(fill, result, await harmlessFor(fill))).toEqual([]);
    }),
    { numRuns: runs(25), seed: 11 },
  );
  expect(passed).toBeGreaterThan(runs(10));
}, 60_000);

test("code that is generated from skills full of hostile text type-checks", async () => {
  const texts = Object.values(hostile);
  const projects = texts.map((text, index) => hostileProject(`desk-${index}`, everywhere(text)));
  const { diagnostics, files } = await compileFiles(Object.assign({}, ...projects));
  expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  expect(files.length).toBeGreaterThan(texts.length * 9);
}, 60_000);
