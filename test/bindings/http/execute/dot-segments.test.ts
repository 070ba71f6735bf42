import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { segment, segmentOf, styled } from "../../../../src/bindings/http/execute.js";
import { covers } from "../../../../src/runtime/governance/capabilities.js";
import { runs } from "../../../support/runs.js";
import { prepare } from "./support.js";

/** Ways in which a proxy or a server reads the path of a request. Each reads the path that the last one passed on. */
const readers: Readonly<Record<string, (path: string) => string>> = {
  // merge_slashes on, and `proxy_pass` with a path: what it passes on is decoded.
  nginx: (path) => resolved(decoded(path).replace(/\/{2,}/g, "/")),
  // AllowEncodedSlashes NoDecode
  "Apache httpd": (path) => resolved(decoded(path.replace(/%2f/gi, "%252F"))),
  // normalize_path, merge_slashes, UNESCAPE_AND_FORWARD
  Envoy: (path) =>
    resolved(
      path
        .replace(/%2f/gi, "/")
        .replace(/%5c|\\/gi, "/")
        .replace(/%2e/gi, "."),
    ),
  // encodedSolidusHandling="decode", allowBackslash="true": parameters go first, dots last
  Tomcat: (path) => resolved(decoded(withoutParameters(path)).replaceAll("\\", "/")),
  // Parameters go last: `..;` is what it takes for a folder's name until then.
  Jetty: (path) => resolved(withoutParameters(decoded(path))),
  // A handler that puts `req.params.id` into a path, or into another URL.
  "Express, with path.posix": (path) => resolved(decoded(path)),
  "Express, with URL": (path) => new URL(`http://h${decoded(path)}`).pathname,
  // Decodes twice, and takes backslashes.
  IIS: (path) => resolved(decoded(decoded(path)).replaceAll("\\", "/")),
  // C strings end at NUL.
  "a server in C": (path) => resolved(decoded(path).replace(/\0[^/]*/g, "")),
  // Looks for names by their compatible form.
  "a server that normalizes Unicode": (path) => resolved(decoded(path).normalize("NFKC")),
};

function decoded(path: string): string {
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function withoutParameters(path: string): string {
  return path.replace(/;[^/]*/g, "");
}

/** RFC 3986, 5.2.4. */
function resolved(path: string): string {
  const kept: string[] = [];
  for (const part of path.split("/").slice(1)) {
    if (part === "..") kept.pop();
    else if (part !== ".") kept.push(part);
  }
  return `/${kept.join("/")}`;
}

const start = "/tenants/acme/";

/** True if the value is rejected, or stays below its place for all of these readers. */
function staysBelow(value: string, by: readonly ((path: string) => string)[]): boolean {
  let path;
  try {
    path = `${start}${segment("/id", value).encoded}`;
  } catch {
    return true;
  }
  const read = by.reduce((now, reader) => reader(now), path);
  return read.startsWith(start) || read === start.slice(0, -1);
}

const climbing = [
  ".",
  "..",
  "../x",
  "../../other/invoices/7",
  "a/../../b",
  "a/..",
  "..\\..\\x",
  "a\\..\\b",
  "..;/x",
  "..;a=b/x",
  "a/.;x/b",
  "..%2fx",
  "%2e%2e/x",
  "%2E./x",
  "%252e%252e%252fx",
  "..%252fx",
  "..%5cx",
  "..%255Cx",
  "..%3b/x",
  "%2%65%2%65/x",
  "%u002e%u002e/x",
  "%uff0e%uff0e/x",
  "..\u200b/x",
  "..\u00ad/x",
  "%c0%ae%c0%ae/x",
  "..%c0%afx",
  "..\0/x",
  "..?x",
  "..#x",
  ".\t./x",
  "..\n/x",
  ".. /x",
  "．．/x",
  "‥/x",
  "..／x",
  "..＼x",
];

/** Parts of hostile values. */
const pieces = "..|.|/|\\|;|%2e|%2f|%5c|%25|2e|a|\0|\t| |%3b|?|#|．|／|%c0%ae|%u002f".split("|");

describe("path segment", () => {
  it.each(climbing)("rejects %j, which a server may read as dots", (value) => {
    for (const make of [
      () => segment("/id", value),
      () => segmentOf(["", ""], ["/id", value]),
      () => segmentOf(["a%2F", "%2Fb"], ["/id", value]),
      () => segment("/id", styled(value, "simple", { reserved: true })),
      () => segment("/id", styled([`a/${value}/b`, "c"], "simple")),
    ])
      expect(make).toThrow(
        expect.objectContaining({ pointer: "/id", keyword: "path-segment" }) as Error,
      );
  });

  it.each([
    "...",
    "a..b",
    "..a",
    "a.",
    ".well-known",
    "v1.2",
    "a/b",
    "a%2Fb",
    "a\\b",
    "feature/x.y",
    "100%",
    "%",
    "%zz",
    "a;b",
    "é😀",
    "...;x",
    "日本",
  ])("sends %j, which no server reads as dots", (value) => {
    expect(segment("/id", value).encoded).toBe(encodeURIComponent(value));
  });

  it("rejects dots that literal text and value form together", () => {
    expect(() => segmentOf([".", ""], ["/id", "."])).toThrow("must have no part");
    expect(() => segmentOf(["", ";v=1"], ["/id", ".."])).toThrow("must have no part");
    expect(segmentOf(["v", ""], ["/id", ".."]).encoded).toBe("v..");
  });
});

describe("value with reserved characters", () => {
  const path = (value: string, after = "/end") => {
    const part = segment("/file", styled(value, "simple", { reserved: true }));
    const call = prepare({ request: () => ({ url: ["http://h/files/", part, after] }) });
    return new URL((call.describe() as { url: string }).url).pathname;
  };

  it.each(["/a", "a//b", "a%2F/b", "a/", "//evil.example"])(
    "rejects a value with an empty part: %j",
    (value) => {
      expect(() => path(value)).toThrow("must have no empty part between slashes in a path");
    },
  );

  it("accepts a value with a slash at the end if the value ends the path", () => {
    expect(path("a/b/", "")).toBe("/files/a/b/");
    expect(path("a/b/", "?x=1")).toBe("/files/a/b/");
  });

  it("keeps a matrix parameter, whose part has a name before its text", () => {
    const value = styled("a/b", "matrix", { name: "dir", reserved: true });
    expect(segment("/dir", value).encoded).toBe(";dir=a/b");
  });
});

describe("value that may have dot segments", () => {
  const dots = (value: string) => styled(value, "simple", { reserved: true, dots: true });

  it.each(["a/../b", "https://example.com//x/", "..;/x", "/a", "./a"])(
    "sends a value with dots if `dots` allows it: %j",
    (value) => {
      expect(segment("/key", dots(value)).encoded).toBe(value);
    },
  );

  it.each(["", ".", ".."])("rejects a whole segment that clients resolve: %j", (value) => {
    expect(() => segment("/key", dots(value))).toThrow(
      expect.objectContaining({ keyword: "path-segment" }) as Error,
    );
  });

  it("`dots` of one value does not allow dots in another value of the segment", () => {
    const make = () => segmentOf(["", "~", ""], ["/key", dots("../a")], ["/id", "x/../b"]);
    expect(make).toThrow(expect.objectContaining({ pointer: "/id" }) as Error);
  });
});

describe.each(Object.entries(readers))("path that %s reads", (name, reader) => {
  test.each(climbing)("stays below the place of its parameter: %j", (value) => {
    expect(staysBelow(value, [reader])).toBe(true);
  });

  test("stays below the place of its parameter for any value, and for the next server", () => {
    // IIS decodes twice: with one more decoding that is all that is looked at.
    const others = Object.values(readers).filter((each) => each !== readers["IIS"]);
    const next = fc.constantFrom(...(name === "IIS" ? [] : others), (path: string) => path);
    const value = fc.array(fc.constantFrom(...pieces), { maxLength: 8 });
    const stays = fc.property(value, next, (texts, after) => {
      expect(staysBelow(texts.join(""), [reader, after])).toBe(true);
    });
    fc.assert(stays, { numRuns: runs(500) });
  });
});

describe("capability", () => {
  it("covers no path that a server may resolve to another", () => {
    const allowed = "net.http:get https://h/files";
    expect(covers(allowed, "net.http:get https://h/files/a%2Fb")).toBe(true);
    for (const path of ["/files/../admin", "/files/..%2Fadmin", "/files/..;/admin"])
      expect(covers(allowed, `net.http:get https://h${path}`)).toBe(false);
    expect(covers("net.http:get https://h", "net.http:get https://h/files/../admin")).toBe(true);
  });
});
