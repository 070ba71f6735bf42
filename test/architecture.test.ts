/** The directions in which imports may point, and what the built runtime loads. The border between runtime and compiler is held by the build itself. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import picomatch from "picomatch";
import { ts } from "ts-morph";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url))
  .replaceAll("\\", "/")
  .replace(/\/$/, "");

interface Import {
  readonly from: string;
  readonly to: string;
}

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith(ending) && !each.name.endsWith(".d.ts"))
    .map((each) => `${each.parentPath.replaceAll("\\", "/")}/${each.name}`.slice(root.length + 1));
}

function specifiersIn(file: string): readonly string[] {
  const text = readFileSync(`${root}/${file}`, "utf8");
  return ts.preProcessFile(text).importedFiles.map((each) => each.fileName);
}

const imports: readonly Import[] = filesBelow("src", ".ts").flatMap((from) =>
  specifiersIn(from)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({
      from,
      to: posix.join(posix.dirname(from), specifier).replace(/\.js$/, ".ts"),
    })),
);

const isOfNode = (specifier: string): boolean =>
  specifier.startsWith("node:") || builtinModules.includes(specifier);

/** What `tsc -b` compiles for the runtime, and for the compiler. */
const isRuntime = filesOf("src/tsconfig.runtime.json");
const isCompiler = filesOf("src/tsconfig.compiler.json");

/** Matches a file against `include` and `exclude` of a TypeScript project. */
function filesOf(config: string): (file: string) => boolean {
  const folder = posix.dirname(config);
  const { exclude = [], include } = JSON.parse(readFileSync(`${root}/${config}`, "utf8"));
  const matcher = (patterns: readonly string[]) =>
    picomatch(
      patterns.map((each) => `${folder}/${each.endsWith(".ts") ? each : `${each}/**/*.ts`}`),
    );
  const [isIncluded, isExcluded] = [matcher(include), matcher(exclude)];
  return (file) => isIncluded(file) && !isExcluded(file);
}

function roomOf(file: string): string {
  return isRuntime(file) ? "runtime" : (file.split("/")[1] ?? "");
}

/** The files behind each entry point of `@skillc/runtime`: `v1/http`; `index` for the package itself. */
const runtimeEntries = readEntries();

function readEntries(): ReadonlyMap<string, { readonly types: string; readonly default: string }> {
  const { exports } = JSON.parse(readFileSync(`${root}/packages/runtime/package.json`, "utf8"));
  return new Map(
    Object.entries<string | { readonly types: string; readonly default: string }>(exports).flatMap(
      ([key, files]) =>
        typeof files === "string" ? [] : [[key === "." ? "index" : key.slice(2), files]],
    ),
  );
}

describe("imports", () => {
  // The rest takes the runtime from its package, `@skillc/runtime`, as the projects of users do.
  const allowed: Readonly<Record<string, readonly string[]>> = {
    runtime: [],
    core: [],
    schema: ["core"],
    policy: ["core", "schema"],
    kit: ["core", "schema"],
    bindings: ["core", "schema", "kit"],
    compiler: ["core", "schema", "policy", "kit", "bindings"],
    import: ["core", "schema", "compiler"],
    planner: ["core", "schema", "kit"],
    cli: ["core", "schema", "policy", "kit", "bindings", "compiler", "import", "planner"],
  };

  test.each(Object.keys(allowed))("point from %s only to allowed rooms", (room) => {
    const others = imports.filter(({ from, to }) => roomOf(from) === room && roomOf(to) !== room);
    const wrong = others.filter(({ to }) => !allowed[room]?.includes(roomOf(to)));
    expect(wrong).toEqual([]);
  });

  // Not even where both are the runtime's: a binding is one of many that the runtime serves.
  test("never point from src/runtime to a binding", () => {
    const wrong = imports.filter(
      ({ from, to }) => from.startsWith("src/runtime/") && /^src\/(?:bindings|kit)\//.test(to),
    );
    expect(wrong).toEqual([]);
  });

  test("never point from src/kit to a binding", () => {
    const wrong = imports.filter(
      ({ from, to }) => from.startsWith("src/kit/") && to.startsWith("src/bindings/"),
    );
    expect(wrong).toEqual([]);
  });

  test("point from src/schema/compare only to core, to plain data about schemas, and to patterns", () => {
    const plain =
      /^src\/(core\/|schema\/(compare|pattern)\/|schema\/(form-words|formats|keywords|made-text|schema-tree|type-names)\.ts$)/;
    const wrong = imports.filter(
      ({ from, to }) => from.startsWith("src/schema/compare/") && !plain.test(to),
    );
    expect(wrong).toEqual([]);
  });

  test("never point from a stage to another stage", () => {
    // skillc.yaml is no stage of a skill: its settings are read off what the parser gives.
    const stage = (file: string) => /^src\/compiler\/(?!config\/)([^/]+)\//.exec(file)?.[1];
    const wrong = imports.filter(({ from, to }) => {
      const [one, other] = [stage(from), stage(to)];
      return one !== undefined && other !== undefined && one !== other;
    });
    expect(wrong).toEqual([]);
  });

  test("never point from a binding kind to another kind", () => {
    const folder = (file: string) => /^src\/bindings\/([^/]+)\//.exec(file)?.[1];
    const wrong = imports.filter(({ from, to }) => {
      const [one, other] = [folder(from), folder(to)];
      return one !== undefined && other !== undefined && one !== other;
    });
    expect(wrong).toEqual([]);
  });

  test("every file belongs to one project, the runtime or the compiler", () => {
    const wrong = filesBelow("src", ".ts").filter((file) => isRuntime(file) === isCompiler(file));
    expect(wrong).toEqual([]);
  });

  test("a folder `run` belongs to the runtime, and the rest of its kind to the compiler", () => {
    const run = ["src/kit/run/x.ts", "src/bindings/new/run/x.ts", "src/bindings/new/run/y/x.ts"];
    const compile = ["src/kit/x.ts", "src/bindings/new/compile/x.ts"];
    expect([...run, ...compile].map((file) => roomOf(file) === "runtime")).toEqual([
      ...run.map(() => true),
      ...compile.map(() => false),
    ]);
  });

  const doors = /^src\/bindings\/([^/]+)\/(compile|run)\//;

  test("a kind that has a door `compile` or `run` has no code beside the two", () => {
    const kinds = new Set(filesBelow("src/bindings", ".ts").map((file) => doors.exec(file)?.[1]));
    const wrong = filesBelow("src/bindings", ".ts").filter(
      (file) => !doors.test(file) && kinds.has(file.split("/")[2]) && file.split("/").length > 3,
    );
    expect(wrong).toEqual([]);
  });

  test("enter a kind's `compile` from other rooms only by its index, or by its settings", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [, kind, door] = doors.exec(to) ?? [];
      const isOutside = !from.startsWith(`src/bindings/${kind}/`);
      // Reading skillc.yaml loads no kind, but the settings of all kinds.
      return door === "compile" && isOutside && !/\/compile\/(?:index|settings)\.ts$/.test(to);
    });
    expect(wrong).toEqual([]);
  });

  test("never form a circle", () => {
    const next = new Map<string, string[]>();
    for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (path.includes(file) || done.has(file)) return;
      for (const each of next.get(file) ?? []) visit(each, [...path, file]);
      done.add(file);
    };
    for (const file of next.keys()) visit(file, []);
    expect(circles).toEqual([]);
  });

  test("every import leads to a file", () => {
    expect(imports.filter(({ to }) => !existsSync(`${root}/${to}`))).toEqual([]);
  });
});

test("every exported function, constant or class has a user in another file", () => {
  const texts = ["src", "test", "bench"]
    .flatMap((folder) => filesBelow(folder, ".ts"))
    .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }));
  const files = new Map<string, number>();
  for (const { text } of texts)
    for (const word of new Set(text.match(/[\w$]+/g))) files.set(word, (files.get(word) ?? 0) + 1);
  const unused = texts
    .filter(({ file }) => file.startsWith("src/"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/^export (?:async )?(?:function\*?|const|class) ([\w$]+)/gm)]
        .filter(([, name = ""]) => files.get(name) === 1)
        .map(([, name]) => `${file}: ${name}`),
    );
  expect(unused).toEqual([]);
});

// A duration depends on the machine too, so a test counts steps or stops the clock.
test("no test reads a clock that it has not stopped", () => {
  const reading = filesBelow("test", ".test.ts").filter((file) => {
    const text = readFileSync(`${root}/${file}`, "utf8");
    const clocks = /\b(?:performance|Date)\.now\(|\bhrtime\b|\bnew Date\(\)/;
    return clocks.test(text) && !/\b(?:stopClock|useFakeTimers)\(/.test(text);
  });
  expect(reading).toEqual([]);
});

// A CI log shows a name without its file. These words begin the second half of a sentence. Golden cases hold no tests.
test("no test name begins with a word that needs the title before it", () => {
  const weak = /^(?:that|of|which|is|are|has|have|where|what|whether|in|with|as|to)\b/i;
  const candidate = new RegExp(`\\(\\s*["'\`]${weak.source.slice(1)}`, "i");
  const found = filesBelow("test", ".ts")
    .filter((file) => !file.startsWith("test/cases/"))
    .map((file) => ({ file, text: readFileSync(`${root}/${file}`, "utf8") }))
    .filter(({ text }) => candidate.test(text))
    .flatMap(({ file, text }) =>
      testNamesIn(text)
        .filter(({ name }) => weak.test(name))
        .map(({ line, name }) => `${file}:${line}: ${name}`),
    );
  expect(found).toEqual([]);
});

/** Finds the names that are given to `test`, `it` and what they offer, such as `test.each`. */
function testNamesIn(text: string): readonly { readonly line: number; readonly name: string }[] {
  const source = ts.createSourceFile("a.test.ts", text, ts.ScriptTarget.Latest);
  const names: { readonly line: number; readonly name: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:test|it)$/.test(calleeOf(node))) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        const { line } = source.getLineAndCharacterOfPosition(title.getStart(source));
        names.push({ line: line + 1, name: title.getText(source).slice(1, -1) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return names;
}

/** The function that a call of a test begins with: `test`, for `test.each` and other members too. */
function calleeOf(node: ts.Node): string {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node))
    return calleeOf(node.expression);
  if (ts.isTaggedTemplateExpression(node)) return calleeOf(node.tag);
  return ts.isIdentifier(node) ? node.text : "";
}

/** Files that call the file system to write or remove, and why a link leads none of them elsewhere. */
const writers: Readonly<Record<string, string>> = {
  "src/runtime/files/own-place.ts": "looks at each part of the way",
  "src/runtime/files/open-judged.ts": "goes through the open folder",
  "src/runtime/files/change-file.ts": "goes through the open folder",
  "src/runtime/files/lock-file.ts": "callers made the folder by makeOwnFolder",
  "src/runtime/rollback/backups/application.ts": "goes through open folders",
  "src/runtime/rollback/backups/attributes.ts": "callers go through open folders",
  "src/runtime/rollback/backups/copies.ts": "made the folder by makeOwnFolder",
  "src/runtime/rollback/backups/copy-file.ts": "callers go through open folders",
  "src/runtime/rollback/backups/prune-backups.ts": "asks refuseObstacle of the folder first",
  "src/runtime/rollback/backups/stage.ts": "goes through open folders",
  "src/runtime/rollback/backups/swap.ts": "goes through open folders",
  "src/runtime/ledger/files/attachment-files.ts": "made the folder by makeOwnFolder",
  "src/runtime/ledger/files/open-file.ts": "the writer made the folder by makeOwnFolder",
  "src/runtime/files/remove-tree.ts": "callers made the folder by makeOwnFolder",
  "src/runtime/files/temporary-folders.ts": "made the folder by makeOwnFolder",
  "src/runtime/files/write-synced.ts": "callers made the folder by makeOwnFolder",
  "src/bindings/command/run/layers/place.ts": "made the folder by makeOwnFolder",
  "src/bindings/http/send/saved-file.ts": "the application names the folder",
  "src/bindings/sql/database/make-empty-image.ts": "a step of the build",
  "src/cli/cache/sealed-entry.ts": "sets the time of an entry that it has read and verified",
  "src/cli/cache/user-key.ts": "the user's state folder, never in a project",
  "src/cli/compare/checkout.ts": "a folder of its own in the system's temporary one",
  "src/cli/compare/write-entries.ts":
    "made each folder by makeOwnFolder, and looks where links lead",
  "src/cli/output/write-files.ts": "asks refuseObstacle or makeOwnFolder of each path first",
  "src/cli/output/write-journal.ts": "asks refuseObstacle or makeOwnFolder of each path first",
  "src/cli/output/write-output.ts": "asks refuseObstacle or makeOwnFolder of each path first",
  "src/cli/output/write-report.ts": "a file outside of the project that the user names",
  "src/cli/write-docs.ts": "a step of the build",
};

test("every file that writes or removes files uses own-place, or says why links don't matter", () => {
  const writing =
    /\b(?:rm|rmdir|unlink|rename|writeFile|appendFile|mkdir|mkdtemp|symlink|link|copyFile|cp|truncate|ftruncate|utimes|lutimes|chmod|chown|createWriteStream)(?:Sync)?\b/;
  const opening = /\bopen(?:Sync)?\([^)]*"(?:a|w|ax|wx|r\+|w\+|a\+)"/;
  const found = filesBelow("src", ".ts").filter((file) => {
    const text = readFileSync(`${root}/${file}`, "utf8");
    const imported = /import (?:\w+, )?\{?([^}]*?)\}? from "(?:node:fs|node:fs\/promises)";/g;
    const names = [...text.matchAll(imported)].map(([, each = ""]) => each).join();
    const called = [...text.matchAll(/\bfs\.(?:promises\.)?(\w+)\(/g)].map(([, each]) => each);
    const isUsing =
      names !== "" && (opening.test(text) || called.some((each) => writing.test(each ?? "")));
    return isUsing || writing.test(names);
  });
  expect(found.toSorted()).toEqual(Object.keys(writers).toSorted());
});

test("only git's file, the type check, commands, and the sync and removal of many files start programs", () => {
  const starting = filesBelow("src", ".ts").filter((file) =>
    specifiersIn(file).some((each) => /^(?:node:)?child_process$/.test(each)),
  );
  expect(starting.toSorted()).toEqual([
    "src/bindings/command/run/executors/docker.ts",
    "src/bindings/command/run/executors/sandbox.ts",
    "src/bindings/command/run/layers/view.ts",
    "src/bindings/command/run/process.ts",
    "src/cli/project/run-git.ts",
    "src/compiler/verify/open-program.ts",
    "src/runtime/files/remove-tree.ts",
    "src/runtime/rollback/backups/sync-files.ts",
  ]);
});

test("no file of the runtime reads its own location, which a bundle changes", () => {
  const asking = filesBelow("src", ".ts")
    .filter(isRuntime)
    .filter((file) => readFileSync(`${root}/${file}`, "utf8").includes("import.meta"));
  expect(asking).toEqual([]);
});

test("only the import's own command loads the readers of foreign documents", () => {
  const outside = imports.filter(
    ({ from, to }) => to.startsWith("src/import/") && !from.startsWith("src/import/"),
  );
  const loading = new Set(
    outside.filter(({ to }) => !to.endsWith("/diagnostics.ts")).map(({ from }) => from),
  );
  expect([...loading].filter((file) => !file.startsWith("src/cli/import/"))).toEqual([
    "src/cli/commands/import-arazzo.ts",
    "src/cli/commands/import-auto-agent.ts",
    "src/cli/commands/import-database.ts",
    "src/cli/commands/import-manifest.ts",
    "src/cli/commands/import-openapi.ts",
  ]);
});

/** What a run without edits loads: it is over before anything is parsed. */
test("`generate` knows before it loads a kind or a parser if there is anything to do", () => {
  const reached = new Set(["src/cli/start.ts", "src/cli/commands/generate.ts"]);
  const packages = new Set<string>();
  for (const file of reached) {
    const text = readFileSync(`${root}/${file}`, "utf8");
    for (const [, specifier = ""] of text.matchAll(
      /^(?:im|ex)port (?!type )[^;]*? from "([^"]+)";/gm,
    ))
      if (specifier.startsWith("."))
        reached.add(posix.join(posix.dirname(file), specifier).replace(/\.js$/, ".ts"));
      else if (!isOfNode(specifier)) packages.add(specifier);
  }
  expect(
    [...reached].filter((file) => /^src\/(?:bindings|kit|policy|schema)\//.test(file)),
  ).toEqual([]);
  expect([...packages].toSorted()).toEqual([
    "@skillc/runtime/internal",
    "commander",
    "fastest-levenshtein",
    "picocolors",
    "string-width",
  ]);
});

test("no code outside of its folder asks which provider a queue has", () => {
  const asking = filesBelow("src", ".ts")
    .filter((file) => !/^src\/bindings\/queue\/providers\/[^/]+\//.test(file))
    .filter((file) =>
      /(===|!==|case)\s*"(kafka|nats|rabbitmq|redis)"/.test(
        readFileSync(`${root}/${file}`, "utf8"),
      ),
    );
  expect(asking).toEqual([]);
});

test("no code outside src/bindings asks which kind a binding is", () => {
  const asking = filesBelow("src", ".ts")
    .filter((file) => !file.startsWith("src/bindings/"))
    .filter((file) =>
      /(===|!==|case)\s*"(http|queue|sql|command|handler)"/.test(
        readFileSync(`${root}/${file}`, "utf8"),
      ),
    );
  expect(asking).toEqual([]);
});

/** What they say of themselves to the compiler is in `bindings`. Diagnostics have examples, and `init` writes one. */
test("compiler, schema and command line name no binding kind and no provider", () => {
  const names = "http|queue|sql|command|handler|kafka|nats|rabbitmq|redis";
  const literal = new RegExp(`(["'\`])(?:(?:type|provider): ?)?(?:${names})\\1`);
  const naming = filesBelow("src", ".ts")
    .filter((file) => /^src\/(cli|compiler|core|schema)\//.test(file))
    .filter((file) => !/(\/|-)diagnostics\.ts$|\/init-files\.ts$/.test(file))
    .filter((file) =>
      readFileSync(`${root}/${file}`, "utf8")
        .split("\n")
        .some((line) => !/^\s*(\*|\/\*|\/\/)/.test(line) && literal.test(line)),
    );
  expect(naming).toEqual([]);
});

describe("maps of the code", () => {
  const rooms = ["src", "test", "bench"].flatMap((folder) => filesBelow(folder, "README.md"));
  const read = (page: string) => readFileSync(`${root}/${page}`, "utf8");
  const names = new Set(["src", "test", "bench"].flatMap((each) => filesBelow(each, "")));
  const baseNames = new Set([...names].map((each) => posix.basename(each)));

  /** Paths in code spans: each with a slash, or with an ending that source files have. */
  function pathsIn(page: string): readonly string[] {
    const spans = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)*)`/g)].map(
      ([, each = ""]) => each,
    );
    return spans.filter((each) => each.includes("/") || /\.(?:ts|hbs)$/.test(each));
  }

  /** Diagnostic codes, packages, folders of users, and files that a reader is to write. */
  const isNoPath = (path: string) =>
    /^(?:http\/bad-origin|policy\/cedar-missing|skillc\/binding|\.skillc\/.*|line(?:\.input)?\.ts|(?:compile|run)\/[a-z]+\.ts)$/.test(
      path,
    );

  function leadsNowhere(page: string, path: string): boolean {
    if (!path.includes("/") && baseNames.has(path)) return false;
    return ![path, posix.join(posix.dirname(page), path)].some((each) =>
      existsSync(`${root}/${each}`),
    );
  }

  test("ARCHITECTURE.md has at most 10 kB, and the README of a room two screens", () => {
    expect(Buffer.byteLength(read("ARCHITECTURE.md"))).toBeLessThanOrEqual(10_000);
    const long = rooms.filter((page) => read(page).split("\n").length > 90);
    expect(long).toEqual([]);
  });

  test.each(["ARCHITECTURE.md", ...rooms])("every path that %s names exists", (page) => {
    const wrong = pathsIn(page).filter((path) => !isNoPath(path) && leadsNowhere(page, path));
    expect(wrong).toEqual([]);
  });

  test("ARCHITECTURE.md links to the README of every room", () => {
    const links = [...read("ARCHITECTURE.md").matchAll(/\]\(([^)]+)\)/g)].map(([, each]) => each);
    expect(links.toSorted()).toEqual(rooms.toSorted());
  });
});

describe("the built runtime", () => {
  /** Packages that an entry point loads before the first call, and those that it may load later. */
  function packagesOf(entry: string): {
    readonly atOnce: readonly string[];
    readonly later: readonly string[];
  } {
    const atOnce = new Set<string>();
    const later = new Set<string>();
    const seen = new Set<string>();
    const visit = (file: string, found: Set<string>): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const text = readFileSync(`${root}/${file}`, "utf8");
      const statics = [
        ...text.matchAll(/^(?:import|export)[^;]*? from "([^"]+)";|^import "([^"]+)";/gm),
      ];
      for (const [, from, bare] of statics) {
        const specifier = from ?? bare ?? "";
        if (specifier.startsWith(".")) visit(importedFile(file, specifier), found);
        else if (!isOfNode(specifier)) found.add(specifier);
      }
      for (const [, specifier = ""] of text.matchAll(/(?<!["'])(?:import|require)\("([^"]+)"\)/g)) {
        if (specifier.startsWith(".")) dynamic.push(importedFile(file, specifier));
        else if (!isOfNode(specifier)) later.add(specifier);
      }
    };
    const dynamic: string[] = [];
    visit(entry, atOnce);
    // What is loaded later may grow while it is looked at.
    for (const file of dynamic) visit(file, later);
    return { atOnce: [...atOnce].toSorted(), later: [...later].toSorted() };
  }

  const importedFile = (from: string, specifier: string): string => {
    const file = posix.join(posix.dirname(from), specifier);
    return from.endsWith(".d.ts") ? file.replace(/\.js$/, ".d.ts") : file;
  };

  test.each([
    ["index.js", ["fastest-levenshtein"], ["dotenv", "yaml"]],
    ["testing.js", ["fastest-levenshtein"], ["dotenv", "yaml"]],
    ["ledger/postgres.js", [], ["pg"]],
    ["runs.js", [], []],
    ["runs/postgres.js", [], ["pg"]],
    ["v1.js", ["fastest-levenshtein"], ["dotenv", "yaml"]],
    ["v1/command.js", ["fastest-levenshtein"], ["diff"]],
    ["v1/file.js", ["fastest-levenshtein"], ["diff"]],
    ["v1/handler.js", [], []],
    ["v1/http.js", ["fastest-levenshtein", "undici"], []],
    ["v1/oauth2.js", ["undici"], ["jose", "oauth4webapi"]],
    ["v1/aws.js", [], ["aws4fetch"]],
    ["v1/json-path.js", ["json-p3", "re2js"], []],
    ["v1/streams.js", ["eventsource-parser"], []],
    ["v1/sql.js", ["fastest-levenshtein", "kysely"], ["@electric-sql/pglite", "pg"]],
    ["v1/queue.js", ["fastest-levenshtein"], ["undici"]],
    ["v1/kafka.js", ["fastest-levenshtein"], ["kafkajs", "undici"]],
    [
      "v1/nats.js",
      ["fastest-levenshtein"],
      ["@nats-io/jetstream", "@nats-io/transport-node", "undici"],
    ],
    ["v1/rabbitmq.js", ["fastest-levenshtein"], ["amqplib", "undici"]],
    ["v1/redis.js", ["fastest-levenshtein"], ["ioredis", "undici"]],
    ["v1/avro.js", ["avsc", "fastest-levenshtein"], []],
    ["v1/protobuf.js", ["fastest-levenshtein", "protobufjs/minimal.js"], []],
    ["v1/pattern.js", ["re2js"], []],
    ["v1/validation.js", [], []],
    ["governance.js", ["fastest-levenshtein", "re2js"], ["@cedar-policy/cedar-wasm/nodejs"]],
    ["governance/folder.js", [], []],
    ["governance/postgres.js", ["pg"], []],
    ["governance/redis.js", ["ioredis"], []],
    [
      "mcp.js",
      [
        "@modelcontextprotocol/server",
        "@modelcontextprotocol/server/ext/skills",
        "@modelcontextprotocol/server/stdio",
        "fastest-levenshtein",
      ],
      ["@modelcontextprotocol/server/validators/ajv", "dotenv", "re2js", "yaml"],
    ],
    ["mcp/oauth.js", ["@modelcontextprotocol/server", "jose"], ["oauth4webapi"]],
    ["mcp/postgres.js", ["pg"], []],
    ["dbos.js", ["@dbos-inc/dbos-sdk", "fastest-levenshtein"], ["dotenv", "yaml"]],
    // Whoever opens a store by its URL needs the driver of that one alone, and of policies Cedar.
    [
      "internal/governance.js",
      ["fastest-levenshtein"],
      ["@cedar-policy/cedar-wasm/nodejs", "ioredis", "pg"],
    ],
  ])("%s loads exactly these packages", (entry, atOnce, later) => {
    expect(packagesOf(`packages/runtime/dist/${entry}`)).toEqual({ atOnce, later });
  });

  // A plan compares while it runs: by counted steps, with nothing that depends on when or where it does.
  test("comparing schemas loads only expressions and tables, and no part of Node", () => {
    const entry = "dist/schema/compare/compare.js";
    const ours = ["@skillc/runtime/internal/equal", "@skillc/runtime/v1/validation"];
    const packages = ["@eslint-community/regexpp", ...ours, "ajv-formats/dist/formats.js", "re2js"];
    expect(packagesOf(entry)).toEqual({ atOnce: packages, later: [] });
    const equality = "packages/runtime/dist/internal/equal.js";
    const texts = [entry, equality]
      .flatMap(filesBehind)
      .map((file) => readFileSync(`${root}/${file}`, "utf8"));
    const foreign =
      /from "node:|\bnew Function\b|\beval\(|\bDate\b|\bperformance\b|\bMath\.random\b/;
    expect(texts.length).toBeGreaterThan(10);
    expect(texts.filter((text) => foreign.test(text))).toEqual([]);
  });

  /** The files that an entry point loads, itself among them. */
  function filesBehind(entry: string): readonly string[] {
    const found = new Set([entry]);
    for (const file of found)
      for (const [, specifier = ""] of readFileSync(`${root}/${file}`, "utf8").matchAll(
        / from "(\.[^"]+)";/g,
      ))
        found.add(importedFile(file, specifier));
    return [...found];
  }

  test.each([
    "index",
    "ledger/postgres",
    "runs",
    "runs/postgres",
    "v1",
    "v1/handler",
    "v1/http",
    "v1/oauth2",
    "v1/aws",
    "v1/queue",
    "v1/kafka",
    "v1/nats",
    "v1/rabbitmq",
    "v1/redis",
    "v1/avro",
    "v1/validation",
    "v1/pattern",
  ])(
    "%s takes no declaration from another package, because tsc reads it for every generated module",
    (entry) => {
      const types = runtimeEntries.get(entry)?.types ?? "";
      expect(packagesOf(`packages/runtime/${types}`).atOnce).toEqual([]);
    },
  );

  test("offers every entry that tsconfig.json and the tests take from its source", () => {
    const { compilerOptions } = JSON.parse(readFileSync(`${root}/tsconfig.json`, "utf8"));
    const source = [...runtimeEntries].map(([key, { types }]) => [
      key === "index" ? "@skillc/runtime" : `@skillc/runtime/${key}`,
      [types.replace("./dist/types/", "./src/").replace(/\.d\.ts$/, ".ts")],
    ]);
    expect(compilerOptions.paths).toMatchObject(Object.fromEntries(source));
  });
});
