import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/call/call-tool.js";
import { isToolError, ToolError } from "../../../src/runtime/errors.js";
import { createMemoryLedger } from "../../../src/runtime/ledger/memory-store.js";
import { createRuntime } from "../../../src/runtime/runtime.js";
import { createScrubber } from "../../../src/runtime/credentials/scrubber.js";
import type { Attempt } from "../../../src/runtime/call/attempt.js";
import { type Contract, exampleTool, type Params, type Result } from "../example-tool.js";

const upper = (text: string) => text.replace(/%[\da-f]{2}/gi, (each) => each.toUpperCase());
const lower = (text: string) => text.replace(/%[\da-f]{2}/gi, (each) => each.toLowerCase());
const ascii = (text: string) =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const markup = (text: string, double: string, single: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', double)
    .replaceAll("'", single);

const escaped = (text: string, isPlain: RegExp, escape: (unit: number) => string) =>
  text
    .split("")
    .map((char) => (isPlain.test(char) ? char : escape(char.charCodeAt(0))))
    .join("");
const bytesOf = (text: string) => [...Buffer.from(text)];
const byByte = (text: string, escape: (byte: number) => string) =>
  bytesOf(text)
    .map((byte) =>
      byte < 0x80 && /[A-Za-z0-9]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : escape(byte),
    )
    .join("");
const hexOf = (number: number, digits: number) => number.toString(16).padStart(digits, "0");

/** How a secret gets into a text. */
const encoders: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => `a ${secret} b`,
  "in JSON": (secret) => JSON.stringify({ secret }),
  "in JSON in JSON": (secret) => JSON.stringify(JSON.stringify({ secret })),
  "in JSON that escapes all but ASCII": ascii,
  "in JSON that escapes slashes": (secret) => JSON.stringify(secret).replaceAll("/", "\\/"),
  "percent-encoded": (secret) => upper(encodeURIComponent(secret)),
  "percent-encoded in lower case": (secret) => lower(encodeURIComponent(secret)),
  "as a form": (secret) => new URLSearchParams({ secret }).toString(),
  "as a form that has %20 for every second space": (secret) =>
    new URLSearchParams({ secret }).toString().replaceAll(/\+([^+]*)\+/g, "+$1%20"),
  "as a form that has %20 for its last space, in JSON": (secret) =>
    JSON.stringify(new URLSearchParams({ secret }).toString().replace(/\+([^+]*)$/, "%20$1")),
  "as a form in a URL that has %20 for its first space": (secret) =>
    encodeURIComponent(new URLSearchParams({ secret }).toString().replace("+", "%20")),
  "as a form in lower case": (secret) => lower(new URLSearchParams({ secret }).toString()),
  "in a URL that is a parameter": (secret) => encodeURIComponent(encodeURIComponent(secret)),
  "in HTML": (secret) => markup(secret, "&quot;", "&#39;"),
  "in HTML, as Python writes it": (secret) => markup(secret, "&quot;", "&#x27;"),
  "in HTML, as Go writes it": (secret) => markup(secret, "&#34;", "&#39;"),
  "in HTML's text": (secret) => markup(secret, '"', "'"),
  "in HTML without semicolons": (secret) =>
    markup(secret, "&quot;", "&#39;").replaceAll(/&(\w+|#\d+);(?![\d;])/g, "&$1"),
  "in XML": (secret) => markup(secret, "&quot;", "&apos;"),
  "in JSON, as Go writes it": (secret) =>
    escaped(JSON.stringify(secret), /[^&<>]/, (unit) => `\\u${hexOf(unit, 4)}`),
  "in JSON, as .NET writes it": (secret) =>
    escaped(secret, /[\w\s.,:;!?$()*~-]/, (unit) => `\\u${hexOf(unit, 4).toUpperCase()}`),
  "in JSON whose letters are escaped": (secret) =>
    escaped(secret, /(?!)/, (unit) => `\\u${hexOf(unit, 4)}`),
  "in JSON, as Go writes it, in a URL": (secret) =>
    encodeURIComponent(JSON.stringify(secret).replaceAll("&", "\\u0026")),
  "percent-encoded, as Python writes it": (secret) =>
    encodeURIComponent(secret)
      .replaceAll("%2F", "/")
      .replace(/[!'()*]/g, (char) => `%${hexOf(char.charCodeAt(0), 2).toUpperCase()}`),
  "as a form, as PHP writes it": (secret) =>
    byByte(secret, (byte) => `%${hexOf(byte, 2).toUpperCase()}`).replaceAll("%20", "+"),
  "percent-encoded byte by byte": (secret) =>
    bytesOf(secret)
      .map((byte) => `%${hexOf(byte, 2)}`)
      .join(""),
  "percent-encoded three times": (secret) =>
    encodeURIComponent(encodeURIComponent(encodeURIComponent(secret))),
  "in HTML by numbers": (secret) => escaped(secret, /[A-Za-z]/, (unit) => `&#${unit};`),
  "in HTML by hexadecimal numbers": (secret) =>
    escaped(secret, /[A-Za-z]/, (unit) => `&#x${hexOf(unit, 1).toUpperCase()};`),
  "in HTML in JSON, as Go writes it": (secret) =>
    JSON.stringify(markup(secret, "&#34;", "&#39;"))
      .replaceAll("&", "\\u0026")
      .replaceAll("<", "\\u003c"),
  "in the notation of bytes": (secret) => byByte(secret, (byte) => `\\x${hexOf(byte, 2)}`),
  "in the notation of bytes in octal": (secret) =>
    byByte(secret, (byte) => `\\${byte.toString(8).padStart(3, "0")}`),
  "in base64": (secret) => Buffer.from(secret).toString("base64"),
  "in base64 after one byte": (secret) => Buffer.from(`u${secret}`).toString("base64"),
  "in base64 after two": (secret) => Buffer.from(`u:${secret}`).toString("base64"),
  "in base64 before others": (secret) => Buffer.from(`${secret}:rest`).toString("base64"),
  "in base64url": (secret) => Buffer.from(`ab:${secret}`).toString("base64url"),
  "in hexadecimal": (secret) => Buffer.from(secret).toString("hex"),
  "in upper-case hexadecimal": (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
};

/** Texts that a keyboard or a key file gives. */
const secrets = fc.string({ unit: "grapheme-composite", minLength: 8, maxLength: 40 });

describe("the scrubber", () => {
  test.each(Object.entries(encoders))("replaces a secret %s", (_, encode) => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const scrubber = createScrubber();
        scrubber.learn(secret, "\u0000");
        const clean = scrubber.scrub(encode(secret));
        expect(clean).toContain("\u0000");
        expect(clean).not.toContain(secret);
      }),
    );
  });

  test.each<[how: string, spelling: string]>([
    ["percent-encoded bytes", "p%FCr/s%E9same&k=1"],
    ["bytes in the notation of programs", String.raw`p\xfcr/s\xe9same&k=1`],
    ["HTML by names", "p&uuml;r&sol;s&eacute;same&amp;k&equals;1"],
    ["base64", Buffer.from("pür/sésame&k=1", "latin1").toString("base64")],
    ["base64 after one byte", Buffer.from(":pür/sésame&k=1", "latin1").toString("base64").slice(2)],
    ["hexadecimal", Buffer.from("pür/sésame&k=1", "latin1").toString("hex")],
  ])("replaces a secret written as bytes of Latin-1: %s", (_, spelling) => {
    const { learn, scrub } = createScrubber();
    learn("pür/sésame&k=1", "***");
    expect(scrub(`a ${spelling} b`)).toBe("a *** b");
  });

  test.each([
    ["several words", "a bc d", "x a+bc%20d y", "x *** y"],
    ["several words, the other way round", "a bc d", "x a%20bc+d y", "x *** y"],
    ["words and a plus sign", "a+b c d", "x a%2Bb+c%20d y", "x *** y"],
    ["words and a plus sign that nobody encoded", "a+b c d", "x a+b%20c%20d y", "x *** y"],
    ["a plus sign alone", "ab+cd", "x ab%2Bcd%20ab+cd", "x ***%20***"],
    ["a plus sign and no space", "ab+cd", "x ab cd %20", "x ab cd %20"],
    ["a space at its end", "word one ", "x=word+one%20&y", "x=***&y"],
    ["words in a longer form", "two words", "k=two%20words+and+more", "k=***+and+more"],
  ])("replaces in a form a secret of %s", (_, secret, text, clean) => {
    const { learn, scrub } = createScrubber();
    learn(secret, "***");
    expect(scrub(text)).toBe(clean);
  });

  test.each([
    ["&amp", "k&9=secret", "a k&amp9=secret b"],
    ["&AMP, before a letter", "k&nine=secret", "a k&AMPnine=secret b"],
    ["&lt and &gt", "<k>secret", "a &ltk&gtsecret b"],
    ["&quot", 'k"secret', "a k&quotsecret b"],
    ["&copy and &uuml", "\u00a9k\u00fcsecret", "a &copyk&uumlsecret b"],
    ["&amp in JSON", "k&9=secret", String.raw`a k\u0026amp9=secret b`],
    ["&amp twice", "k&9=secret", "a k&ampamp9=secret b"],
  ])("replaces a secret in HTML that has %s without a semicolon", (_, secret, text) => {
    const { learn, scrub } = createScrubber();
    learn(secret, "***");
    expect(scrub(text)).toBe("a *** b");
  });

  test("replaces a secret that looks like HTML without a semicolon", () => {
    for (const secret of ["x=1&copy=2&region=3", 'p"w&lt;&ltz', "k&notin;%26sect"]) {
      const { learn, scrub } = createScrubber();
      learn(secret, "***");
      for (const encode of [JSON.stringify, encodeURIComponent, (text: string) => text])
        expect(scrub(encode(secret))).toContain("***");
    }
  });

  test("reads a megabyte of ampersands and plus signs in time that grows with its length", () => {
    const { learn, scrub } = createScrubber();
    learn("two words & more", "***");
    const timeOf = (length: number) => {
      const text = "&am+%20&lt+amp ".repeat(length);
      const started = process.cpuUsage();
      expect(scrub(text)).toBe(text);
      return process.cpuUsage(started).user;
    };
    timeOf(10_000);
    expect(timeOf(80_000)).toBeLessThan(40 * timeOf(10_000));
  });

  test("replaces a secret alone, and not its neighbours in the same run of escapes", () => {
    const { learn, scrub } = createScrubber();
    learn("/ab+cd=", "***");
    expect(scrub("token%3D%2Fab%2Bcd%3D%26b%3D2")).toBe("token%3D***%26b%3D2");
    expect(scrub(String.raw`"\u003d\u002fab\u002bcd\u003d\u0026"`)).toBe(
      String.raw`"\u003d***\u0026"`,
    );
    expect(scrub("&#x3D;&#x2F;ab&#43;cd&#61;&amp;")).toBe("&#x3D;***&amp;");
    expect(scrub("&#x3D;&#x000002F;ab&#00043;cd&#61;&amp;")).toBe("&#x3D;***&amp;");
  });

  test("replaces a secret that has an escape of its own, however it is written", () => {
    for (const secret of ["p%41ss&lt;w/rd", 'p\\u0041ss\\nw"rd', '&amp;%2525"word']) {
      const { learn, scrub } = createScrubber();
      learn(secret, "***");
      for (const encode of [JSON.stringify, encodeURIComponent, (text: string) => text])
        expect(scrub(encode(secret))).toContain("***");
    }
  });

  test("replaces two secrets that overlap as one", () => {
    const { learn, scrub } = createScrubber();
    learn("secret", "1");
    learn("retval", "2");
    expect(scrub("a secretval b secret retval")).toBe("a 1 b 1 2");
  });

  test("replaces each line of a secret with several lines", () => {
    const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEF", "AASCBKcwggSjAgEAAoIBAQC7VJTU"];
    const pem = `-----BEGIN KEY-----\n${lines.join("\n")}\n-----END KEY-----\n`;
    const account = JSON.stringify({ type: "service_account", private_key: pem });
    for (const secret of [pem, pem.replaceAll("\n", "\r\n"), account]) {
      const { learn, scrub } = createScrubber();
      learn(secret, "***");
      for (const line of lines) expect(scrub(`a ${line} b`)).toBe("a *** b");
      expect(scrub("-----BEGIN KEY----- service_account")).toBe(
        "-----BEGIN KEY----- service_account",
      );
    }
  });

  describe("a secret in base64 that is broken into lines", () => {
    const secret = `${"0123456789 of a key that has more than one line ".repeat(4)}?~ÿ`;
    const lineEnds = ["\n", "\r\n", "\n    ", "\\n", "\\r\\n", "\\\\n"];
    const broken = [64, 76].flatMap((columns) => lineEnds.map((end) => [columns, end] as const));

    test.each(broken)("replaces it in lines of %i columns with %j", (columns, end) => {
      const { learn, scrub } = createScrubber();
      learn(secret, "***");
      const inLines = (text: string) =>
        (
          Buffer.from(text)
            .toString("base64")
            .match(new RegExp(`.{1,${columns}}`, "g")) ?? []
        ).join(end);
      expect(scrub(`a ${inLines(secret)} b`)).toBe("a *** b");
      // Wherever it stands in a longer text, a break among its first characters included.
      for (let before = 0; before < columns; before += 1) {
        const clean = scrub(inLines(`${"u".repeat(before)}${secret}${"v".repeat(30)}`));
        expect(clean).toContain("***");
        const left = clean.replace(/\s|\\+[rn]/g, "").replace("***", "");
        expect(left.length).toBeLessThan(((before + 30) * 4) / 3 + 12);
      }
    });
  });

  describe("a key whose last line is short", () => {
    const lines = ["MIIEvQIBADANBgkqhkiG9w0BAQEF", "AASCBKcwggSjAgEAAoIBAQC7VJTU", "t9Us8cKjMA=="];
    const pem = `-----BEGIN KEY-----\n${lines.join("\n")}\n-----END KEY-----\n`;

    test.each([
      ["LF", "\n"],
      ["CRLF", "\r\n"],
      ["escapes", "\\n"],
      ["escapes in JSON within JSON", "\\\\r\\\\n"],
      ["an indented line", "\n      "],
      ["nothing", ""],
    ])("replaces it if its lines are separated by %s", (_, end) => {
      const account = JSON.stringify({ type: "service_account", private_key: pem });
      for (const secret of [pem, pem.replaceAll("\n", "\r\n"), account]) {
        const { learn, scrub } = createScrubber();
        learn(secret, "***");
        expect(scrub(`a ${lines.join(end)} b`)).toBe("a *** b");
        expect(scrub(`a ${lines.slice(1).join(end)} b`)).toBe("a *** b");
      }
    });
  });

  test("replaces the password of a URL", () => {
    const { learn, scrub } = createScrubber();
    learn("postgres://ann:p%40ssw%2Frd@db.example.com/shop", "${SHOP}");
    expect(scrub("ann p@ssw/rd p%40ssw%2Frd db.example.com")).toBe(
      "ann ${SHOP} ${SHOP} db.example.com",
    );
  });

  test("replaces the longest of several secrets that begin at one place, all in one pass", () => {
    const { learn, scrub } = createScrubber();
    learn("abcd", "1");
    learn("abcdefgh", "2");
    learn("efghi", "3");
    expect(scrub("abcdefgh abcde abcefghi")).toBe("2 1e abc3");
  });
});

test("changes no text without a secret", () => {
  const { learn, scrub } = createScrubber();
  learn("p@ssw/rd 99 ü", "***");
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      expect(scrub(text)).toBe(text);
    }),
  );
});

const token = 'tok/en+12 34"5';

/** A token that programs spell in several ways. */
const sent = "to/ken&9=secret";

function setUp(
  send: (attempt: Attempt) => Promise<Result>,
  { token: value = token, ...changes }: Partial<Contract> & { readonly token?: string } = {},
) {
  const ledger = createMemoryLedger();
  const credentials = { TOKEN: value, ORIGIN: "https://api.example.com", UNUSED: "never-opened" };
  const runtime = createRuntime({ ledger, inherit: false, credentials });
  const base = exampleTool(async (attempt) => ({ result: await send(attempt) }), {
    credentials: ["TOKEN", "ORIGIN"],
    effect: "read",
    ...changes,
  });
  const prepare: Contract["binding"]["prepare"] = (args, identity) => ({
    ...base.binding.prepare(args, identity),
    proofs: ["TOKEN"],
  });
  const tool: Contract = { ...base, binding: { kind: "example", prepare } };
  const call = (params: Params = { id: "a" }) => callTool(tool, params, { runtime });
  return { call, ledger };
}

/** Whatever can be printed of a value. */
const shown = (value: unknown) => inspect(value, { depth: 20, showHidden: true });

describe("the answer of a provider", () => {
  test("contains no credential in `error`, in any spelling", async () => {
    const echo = Object.values(encoders).map((encode) => encode(token));
    const { call, ledger } = setUp(async () => ({
      status: "rate_limited",
      error: { echo, [token]: 1 },
    }));
    const result = await call();
    expect(shown(result)).not.toContain("tok");
    expect(result).toMatchObject({ status: "rate_limited", error: { "${TOKEN}": 1 } });
    for (const spelling of echo) expect(JSON.stringify(ledger.records)).not.toContain(spelling);
  });

  test("replaces a text of `data` only if it is exactly a credential that proves something", async () => {
    const data = {
      token,
      list: [`Bearer ${token}`, `a ${token}`],
      origin: "https://api.example.com",
      other: "never-opened",
      ok: true,
    };
    const { call, ledger } = setUp(async () => ({ status: "success", data }));
    expect(await call()).toEqual({
      status: "success",
      data: { ...data, token: "${TOKEN}", list: ["Bearer ${TOKEN}", `a ${token}`] },
    });
    const recorded = JSON.stringify(ledger.records);
    for (const secret of ["tok/en", "never-opened", "api.example.com"])
      expect(recorded).not.toContain(secret);
  });

  test("stays the same object if it contains no credential", async () => {
    const data = { ok: [1, "a"] };
    const { call } = setUp(async () => ({ status: "success", data }));
    expect(await call()).toHaveProperty("data", data);
  });
});

describe("a thrown error", () => {
  const failing = (cause: unknown) => async (attempt: Attempt) => {
    throw new ToolError(
      attempt.tool,
      { code: "PROVIDER.PROTOCOL", reason: `refused ${encodeURIComponent(token)}` },
      `it refused ${token}`,
      { attempts: 1, cause },
    );
  };
  const caught = async (call: Promise<unknown>) => {
    const thrown: unknown = await call.catch((error: unknown) => error);
    if (!isToolError(thrown)) throw new Error("not a ToolError");
    return thrown;
  };

  test("contains no credential in its message, stack, causes and their properties", async () => {
    const request = { headers: { authorization: `Bearer ${token}` } };
    const inner = Object.assign(new Error(`inner ${token}`), { request });
    const hidden = Object.assign(new Error("outer", { cause: inner }), { code: "E_OUTER" });
    const all = new AggregateError([hidden], "all");
    for (const cause of [inner, hidden, all, token]) {
      const { call, ledger } = setUp(failing(cause));
      const error = await caught(call());
      expect(shown(error)).not.toContain("tok/en");
      expect(error).toMatchObject({
        message: "it refused ${TOKEN}",
        failure: { reason: "refused ${TOKEN}" },
        attempts: 1,
      });
      expect(JSON.stringify(ledger.records)).not.toContain("tok");
    }
  });

  test.each<[what: string, hanging: () => object]>([
    ["Headers", () => ({ h: new Headers({ authorization: `Bearer ${sent}` }) })],
    ["a Request", () => ({ r: new Request("http://a.example", { headers: { "x-key": sent } }) })],
    ["a query", () => ({ query: new URLSearchParams({ key: sent }) })],
    ["a URL", () => ({ url: new URL(`http://u:${encodeURIComponent(sent)}@a.example`) })],
    ["a Map", () => ({ map: new Map([["a", { sent }]]) })],
    ["a key of a Map", () => ({ map: new Map([[{ sent }, 1]]) })],
    ["a Set in a list", () => ({ list: [new Set([[sent]])] })],
    ["bytes", () => ({ body: Buffer.from(`a ${sent} b`) })],
    ["an ArrayBuffer", () => ({ body: new TextEncoder().encode(sent).buffer })],
    ["a prototype", () => ({ config: Object.create({ sent }) as object })],
    ["toJSON", () => ({ config: { toJSON: () => ({ sent }) } })],
    [
      "a getter",
      () => ({
        config: {
          get key() {
            return sent;
          },
        },
      }),
    ],
    ["a symbol", () => ({ [Symbol(sent)]: 1 })],
    [
      "a property that does not show",
      () => ({ config: Object.defineProperty({}, "key", { value: sent }) }),
    ],
    ["a function", () => ({ retry: Object.assign(() => 1, { sent }) })],
    ["a text that Go wrote", () => ({ body: JSON.stringify(sent).replaceAll("&", "\\u0026") })],
    [
      "something that can't be looked into",
      () => ({
        proxy: new Proxy(
          { sent },
          {
            ownKeys: () => {
              throw new Error(sent);
            },
          },
        ),
      }),
    ],
  ])("a thrown error contains no credential from %s of its cause", async (_, hanging) => {
    const { call } = setUp(failing(Object.assign(new Error("no"), hanging())), { token: sent });
    const { cause } = await caught(call());
    expect(cause).toBeInstanceOf(Error);
    expect(cause).toMatchObject({ message: "no" });
    expect(Reflect.ownKeys(cause as Error).toSorted()).toEqual([
      "cause",
      "message",
      "name",
      "stack",
    ]);
    expect(shown(cause)).not.toContain("ken&9");
  });

  test("gets a plain error as its cause if the cause is no error and contains a credential", async () => {
    const { call } = setUp(failing(new Map([["a", sent]])), { token: sent });
    const { cause } = await caught(call());
    expect(cause).toBeInstanceOf(Error);
    expect(shown(cause)).not.toContain("ken&9");
  });

  test.each<[what: string, cause: () => object]>([
    [
      "Headers without a credential",
      () => Object.assign(new Error("no"), { h: new Headers({ a: "b" }) }),
    ],
    [
      "an error that holds itself",
      () => {
        const error: Error & { self?: Error } = new Error("no");
        error.self = error;
        return error;
      },
    ],
    [
      "an error whose getter throws",
      () =>
        Object.assign(new Error("no"), {
          config: {
            get a(): string {
              throw new Error("x");
            },
          },
        }),
    ],
  ])("keeps the very cause: %s", async (_, cause) => {
    const own = cause();
    const { call } = setUp(failing(own));
    expect((await caught(call())).cause).toBe(own);
  });

  test("keeps the same cause if that contains no credential", async () => {
    const cause = Object.assign(new Error("no"), { code: "E_NO" });
    const { call } = setUp(failing(cause));
    expect((await caught(call())).cause).toBe(cause);
  });
});

describe("the ledger", () => {
  test("contains no given credential, even if nothing has used it", async () => {
    const { call, ledger } = setUp(async () => ({ status: "success", data: {} }));
    await call({ id: `never-opened ${token}` });
    expect(ledger.records).toMatchObject([{ parameters: { id: "${UNUSED} ${TOKEN}" } }]);
  });

  test("contains no credential of the environment that a shadowed write would have sent", async () => {
    const ledger = createMemoryLedger();
    const runtime = createRuntime({
      ledger,
      env: { TOKEN: token },
      mode: "shadow",
      directory: "/nowhere",
    });
    const tool = exampleTool(async () => ({ result: { status: "success", data: {} } }), {
      credentials: ["TOKEN", "MISSING"],
    });
    await callTool(tool, { id: token }, { runtime });
    expect(ledger.records).toMatchObject([
      { parameters: { id: "${TOKEN}" }, request: { id: "${TOKEN}" } },
    ]);
  });

  test("masks a masked parameter that comes back in the answer", async () => {
    const params = { id: "a", card: { number: "4111 1111 1111 1111", code: "017", year: 2031 } };
    const back = { rows: [{ ...params.card }], note: `for ${params.card.number}`, a: "0177" };
    const { call, ledger } = setUp(async () => ({ status: "success", data: back }), {
      maskedParams: [["card"]],
    });
    expect(await call(params)).toEqual({ status: "success", data: back });
    const [record] = ledger.records;
    expect(record).toMatchObject({ parameters: { id: "a", card: "***" } });
    const result = record?.type === "end" ? JSON.parse(record.result ?? "") : undefined;
    expect(result).toEqual({
      status: "success",
      data: {
        rows: [{ number: "***", code: "***", year: "***" }],
        note: "for ***",
        a: "0177",
      },
    });
  });

  test("contains none of thousands of masked values of a long answer", async () => {
    const cards = Array.from({ length: 3000 }, (_, at) => `secretvalue${at}&x`);
    const back = { note: `${"secretvaluf ".repeat(1000)}${cards.slice(0, 2).join(" ")}`, cards };
    const { call, ledger } = setUp(async () => ({ status: "success", data: back }), {
      maskedParams: [["card"]],
    });
    const params = { id: "a", card: cards };
    expect(await call(params)).toEqual({ status: "success", data: back });
    expect(JSON.stringify(ledger.records)).not.toMatch(/secretvalue/);
  });

  test.each<[what: string, params: unknown]>([
    ["a text for an object", { card: "4111 1111" }],
    ["a list for an object", { card: [{ number: "4111 1111" }] }],
    ["another name", { card: { nr: "4111 1111" } }],
    ["a level too high", { number: "4111 1111" }],
    ["a level too deep", { card: { card: { number: "4111 1111" } } }],
    ["another parameter", { order: { lines: [{ number: "4111 1111" }] } }],
    ["a list of everything", [{ card: "4111 1111" }]],
    ["text of JSON", '{"card":{"number":"4111 1111"}}'],
  ])(
    "masks a whole parameter of a call that doesn't fit, where the marked part is in the wrong place: %s",
    async (_, params) => {
      const { call, ledger } = setUp(async () => ({ status: "success", data: {} }), {
        maskedParams: [["card", "number"]],
      });
      await expect(call(params as Params)).rejects.toThrow("don't fit their schema");
      expect(ledger.records).toHaveLength(1);
      expect(JSON.stringify(ledger.records)).not.toContain("4111 1111");
    },
  );
});
