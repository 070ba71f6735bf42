import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createCredentials,
  type Credentials,
} from "../../../src/runtime/credentials/credentials.js";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { Secret } from "../../../src/runtime/credentials/secret.js";
import { exampleTool, succeed } from "../example-tool.js";
import { unicodeText } from "../../support/unicode-text.js";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "skillc-credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function valueOf(credentials: Credentials, name: string): Promise<string | undefined> {
  const secret = await credentials.find(name);
  return secret && Secret.reveal(secret);
}

describe("a credential from four places", () => {
  const places = ["given", "environment", ".env", "skillc.yaml"] as const;

  /** All places from this one on have the name. */
  function sources(from: number, empty?: string) {
    const value = (place: number) => (place < from ? empty : `from ${places[place]}`);
    const set = (place: number) => (value(place) === undefined ? {} : { NAME: value(place) });
    return createCredentials({
      given: set(0),
      env: set(1),
      directory: folderWith({
        ".env": value(2) === undefined ? "" : `NAME="${value(2)}"\n`,
        "skillc.yaml": value(3) === undefined ? "" : `secrets:\n  NAME: "${value(3)}"\n`,
      }),
    });
  }

  test.each(places.map((place, from) => [place, from] as const))(
    "comes from the first place that has it: %s",
    async (place, from) => {
      expect(await valueOf(sources(from), "NAME")).toBe(`from ${place}`);
    },
  );

  test.each(places.map((place, at) => [place, at] as const))(
    "counts as missing if it is set to an empty text in %s, and later places are ignored",
    async (_, at) => {
      const value = (place: number) => (place < at ? undefined : place === at ? "" : "another's");
      const line = value(2) === undefined ? "" : `NAME="${value(2)}"\n`;
      const given = at === 0 ? { NAME: "" } : {};
      const env = { NAME: value(1) };
      const yaml = `secrets:\n  NAME: "${value(3)}"\n`;
      const directory = folderWith({ ".env": line, "skillc.yaml": yaml });
      expect(await valueOf(createCredentials({ given, env, directory }), "NAME")).toBeUndefined();
    },
  );

  test("counts as missing if it is given as undefined, and other places are ignored", async () => {
    const credentials = createCredentials({
      given: { NAME: undefined },
      env: { NAME: "another's" },
    });
    expect(await valueOf(credentials, "NAME")).toBeUndefined();
  });

  test("does not come from a prototype", async () => {
    const given = Object.create({ NAME: "inherited" }) as Record<string, string>;
    expect(await valueOf(createCredentials({ given, env: { NAME: "own" } }), "NAME")).toBe("own");
  });

  test("comes from a copy of the given values, so the object may be reused for another tenant", async () => {
    const given = { NAME: "first tenant" };
    const credentials = createCredentials({ given });
    given.NAME = "second tenant";
    expect(await valueOf(credentials, "NAME")).toBe("first tenant");
  });

  test("counts as missing if it is empty everywhere", async () => {
    expect(await valueOf(sources(4, ""), "NAME")).toBeUndefined();
  });

  test("may be blank", async () => {
    expect(await valueOf(sources(4, " "), "NAME")).toBe(" ");
  });

  test.each(["OTHER", "__proto__", "constructor", "toString", "hasOwnProperty"])(
    "does not exist under the name `%s`",
    async (name) => {
      expect(await valueOf(sources(0), name)).toBeUndefined();
    },
  );

  test("comes only from given values if there is no environment and no folder", async () => {
    process.env["SKILLC_TEST_NAME"] = "from this process";
    onTestFinished(() => void delete process.env["SKILLC_TEST_NAME"]);
    expect(await valueOf(createCredentials({ given: {} }), "SKILLC_TEST_NAME")).toBeUndefined();
  });
});

describe(".env", () => {
  const text = [
    "# a comment",
    "PLAIN=a b # not this",
    'DOUBLE="a\\nb # this"',
    "SINGLE='a\\nb $PLAIN'",
    "export EXPORTED=x=y",
    "SPACED = z ",
    'LINES="a',
    'b"',
    "EMPTY=",
    "URL=http://127.0.0.1:1/#top",
    "PASS=pass#word",
    "COMMENTED=pass#word # not this",
    "HASH=#1",
    "NOTHING= # not this",
    `QUOTES=it's#"a\\nb"`,
    "COLON: a#b",
    "KEY='a#b' # not this",
    'BLOCK="a#b',
    'INSIDE=c#d"',
    "LAST=a#",
  ];

  test.each([
    ["PLAIN", "a b"],
    ["DOUBLE", "a\nb # this"],
    ["SINGLE", "a\\nb $PLAIN"],
    ["EXPORTED", "x=y"],
    ["SPACED", "z"],
    ["LINES", "a\nb"],
    ["EMPTY", undefined],
    ["URL", "http://127.0.0.1:1/#top"],
    ["PASS", "pass#word"],
    ["COMMENTED", "pass#word"],
    ["HASH", "#1"],
    ["NOTHING", undefined],
    ["QUOTES", `it's#"a\\nb"`],
    ["COLON", "a#b"],
    ["KEY", "a#b"],
    ["BLOCK", "a#b\nINSIDE=c#d"],
    ["INSIDE", undefined],
    ["LAST", "a#"],
  ])("gives the value of %s as a shell reads it", async (name, value) => {
    const directory = folderWith({ ".env": text.join("\n") });
    expect(await valueOf(createCredentials({ given: {}, directory }), name)).toBe(value);
  });

  test("does not wait for a pipe or a device, and ignores it", async () => {
    for (const name of [".env", "skillc.yaml"]) {
      const pipe = folderWith({});
      execFileSync("mkfifo", [join(pipe, name)]);
      const device = folderWith({});
      symlinkSync("/dev/zero", join(device, name));
      for (const directory of [pipe, device])
        expect(await valueOf(createCredentials({ given: {}, directory }), "NAME")).toBeUndefined();
    }
  });

  test("accepts line ends of Windows", async () => {
    const directory = folderWith({ ".env": "A=1\r\nB=2\r\n" });
    expect(await valueOf(createCredentials({ given: {}, directory }), "A")).toBe("1");
  });
});

const findInYaml = (yaml: string, name = "NAME") =>
  valueOf(createCredentials({ given: {}, directory: folderWith({ "skillc.yaml": yaml }) }), name);

describe("skillc.yaml", () => {
  test("contains texts, and no other value becomes one", async () => {
    expect(await findInYaml("skills: skills\nsecrets: { NAME: letmein }\n")).toBe("letmein");
    expect(await findInYaml("secrets: { NAME: 123 }\n")).toBeUndefined();
    expect(await findInYaml("secrets: { NAME: [a] }\n")).toBeUndefined();
  });

  test.each(["secrets: [a", "secrets: text", "", "- a", "secrets:\n", "\0", "&a [*a]"])(
    "may contain %j, which holds no secrets and causes no error",
    async (yaml) => {
      expect(await findInYaml(yaml)).toBeUndefined();
    },
  );

  test("stays unread until a name is missing everywhere else", async () => {
    const directory = folderWith({});
    const credentials = createCredentials({ given: { GIVEN: "g" }, env: { SET: "s" }, directory });
    expect(await valueOf(credentials, "GIVEN")).toBe("g");
    expect(await valueOf(credentials, "SET")).toBe("s");
    writeFileSync(join(directory, ".env"), "DOTENV=d\n");
    expect(await valueOf(credentials, "DOTENV")).toBe("d");
    writeFileSync(join(directory, "skillc.yaml"), "secrets: { LAST: l }\n");
    expect(await valueOf(credentials, "LAST")).toBe("l");
  });
});

describe("a credential that was found", () => {
  test("stays known and unchanged", async () => {
    const env: Record<string, string> = { NAME: "before" };
    const credentials = createCredentials({ given: {}, env });
    expect(credentials.known("NAME")).toBeUndefined();
    await credentials.find("NAME");
    env["NAME"] = "after";
    const known = credentials.known("NAME");
    expect(known && Secret.reveal(known)).toBe("before");
  });

  test("a missing credential is looked up again", async () => {
    const env: Record<string, string> = {};
    const credentials = createCredentials({ given: {}, env });
    expect(await valueOf(credentials, "NAME")).toBeUndefined();
    env["NAME"] = "now";
    expect(await valueOf(credentials, "NAME")).toBe("now");
  });
});

/** Every text in a JSON value, keys included. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return [
    ...(Array.isArray(value) ? [] : Object.keys(value)),
    ...Object.values(value).flatMap(textsIn),
  ];
}

const knowing = async (given: Readonly<Record<string, string>>) => {
  const credentials = createCredentials({ given });
  for (const name of Object.keys(given)) await credentials.find(name);
  return credentials.scrubber;
};

describe("scrubbing", () => {
  test("replaces values by their names: plain, in JSON, in a URL", async () => {
    const value = 'p"ss wörd/1';
    const { scrub } = await knowing({ TOKEN: value });
    const text = `${value} ${JSON.stringify({ value })} ${encodeURIComponent(value)}`;
    expect(scrub(text)).toBe('${TOKEN} {"value":"${TOKEN}"} ${TOKEN}');
  });

  test("replaces the longer of two values with the same beginning", async () => {
    const { scrub } = await knowing({ SHORT: "abcd", LONG: "abcdefgh" });
    expect(scrub("abcdefgh abcd")).toBe("${LONG} ${SHORT}");
  });

  test("ignores values that are too short, and does not expand patterns of `replace`", async () => {
    const { scrub } = await knowing({ PIN: "abc", $$: "dollar" });
    expect(scrub("abc dollar")).toBe("abc ${$$}");
  });

  test("keeps JSON valid, whatever a value looks like", async () => {
    const { scrubJson } = await knowing({ PORT: "15672", FLAG: "true", KEY: '":"', NAME: "port" });
    const value = { port: 15672, on: true, text: "true 15672", list: [115672, null], "15672": 1 };
    expect(JSON.parse(scrubJson(JSON.stringify(value)))).toEqual({
      "${NAME}": "${PORT}",
      on: "${FLAG}",
      text: "${FLAG} ${PORT}",
      list: [115672, null],
      "${PORT}": 1,
    });
  });

  test("leaves no value in any JSON, and keeps it valid", async () => {
    const secret = unicodeText({ minLength: 4, maxLength: 8 });
    const both = fc
      .tuple(secret, fc.jsonValue())
      .map(([value, other]) => [value, [value, { [value]: other, other: `a${value}b` }]] as const);
    await fc.assert(
      fc.asyncProperty(both, async ([value, tree]) => {
        const { scrubJson } = await knowing({ NAME: value });
        const after: unknown = JSON.parse(scrubJson(JSON.stringify(tree)));
        expect(textsIn(after)).toEqual(expect.arrayContaining(["${NAME}", "a${NAME}b"]));
        if ("${NAME}".includes(value)) return;
        expect(textsIn(after).filter((each) => each.includes(value))).toEqual([]);
      }),
    );
  });
});

test("keeps the ledger readable if a setting looks like a parameter's number", async () => {
  const ledger = createMemoryLedger();
  const runtime = createRuntime({ ledger, inherit: false, credentials: { PORT: "15672" } });
  const tool = exampleTool(succeed, { credentials: ["PORT"] });
  await callTool(tool, { id: "port 15672", limit: 15_672 }, { runtime });
  const parameters = { id: "port ${PORT}", limit: "${PORT}" };
  expect(ledger.records).toMatchObject([{ parameters }, { parameters }]);
});

test.each<[what: string, value: unknown, advice: string]>([
  ["a promise", Promise.resolve("s3cret"), "`await`"],
  ["null", null, "or undefined"],
  ["of type number", 4711, "or undefined"],
])("a credential that is %s is refused when it is given, and not shown", (what, value, advice) => {
  const give = () => createCredentials({ given: { TOKEN: value as string } });
  expect(give).toThrow(TypeError);
  expect(give).toThrow(new RegExp(`^the credential \`TOKEN\` is ${what}: .*${advice}`));
  expect(give).not.toThrow(/s3cret|4711/);
});
