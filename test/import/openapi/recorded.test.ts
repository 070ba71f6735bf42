/**
 * The record of an import is a file of the project: a pull request can change what it names. Without a
 * document on the command line, nothing of a private network and no file outside is read.
 */
import { symlinkSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { filesIn, makeProject, put } from "../../cli/support/command-line.js";
import { importIn, ok, openApi, serve } from "./support.js";

const record = "skills/.import/shop/import.json";
const document = openApi({ "/a": { get: ok } });

/** A project with an import whose record names that source. */
async function recorded(source: string): Promise<string> {
  const root = makeProject({ "api.json": document });
  expect((await importIn(root, ["api.json"])).code).toBe(0);
  const text = filesIn(root)[record] ?? "";
  expect(text).toContain('"source": "api.json"');
  put(
    root,
    record,
    text.replace('"api.json"', () => JSON.stringify(source)),
  );
  return root;
}

/** A server that no import may ask, and how often one did. */
async function unasked() {
  const asked: string[] = [];
  const origin = await serve((request, response) => {
    asked.push(request.url ?? "");
    response.end(document);
  });
  return { asked, origin, port: new URL(origin).port };
}

test.each(["skill", "prefix"])(
  "a record whose %s leads out of the skills folder is not followed",
  async (key) => {
    const root = await recorded("api.json");
    const text = filesIn(root)[record] ?? "";
    put(root, record, text.replace('"source"', `"${key}": "../implant", "source"`));
    const before = filesIn(root);
    expect((await importIn(root, [])).code).not.toBe(0);
    expect(filesIn(root)).toEqual(before);
  },
);

describe.each([["--check"], ["--list"], []])("an import by its record, with %s", (...argv) => {
  const again = (root: string) =>
    importIn(
      root,
      argv.filter((each) => each !== undefined),
    );

  test("reads a file below the project", async () => {
    expect((await again(await recorded("api.json"))).code).toBe(0);
  });

  test.each([
    "http://127.0.0.1",
    "https://127.0.0.1",
    "https://localhost",
    "http://localhost",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    `https://${hostname()}`,
    "https://10.0.0.7",
    "https://169.254.169.254",
    "http://public.example",
  ])("asks no server of a private network, and none without https: %s", async (host) => {
    const { asked, port } = await unasked();
    const { code, stderr } = await again(await recorded(`${host}:${port}/api.json`));
    expect(code).toBe(1);
    expect(stderr).toMatch(/private network|link-local|does not begin with https/);
    expect(asked).toEqual([]);
  });

  test("asks no proxy to look up a name", async () => {
    const { asked, origin } = await unasked();
    vi.stubEnv("HTTPS_PROXY", origin);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, stderr } = await again(await recorded("https://api.nowhere.example/api.json"));
    expect(code).toBe(1);
    expect(stderr).toContain("a proxy would look up the address of `api.nowhere.example`");
    expect(asked).toEqual([]);
  });

  test("reads no file outside of the project, by links neither", async () => {
    const outside = makeProject({ "api.json": document });
    const root = await recorded(`${outside}/api.json`);
    const absolute = await again(root);
    expect(absolute.code).toBe(1);
    symlinkSync(outside, join(root, "linked"));
    put(root, record, (filesIn(root)[record] ?? "").replace(outside, "linked"));
    const { code, stderr } = await again(root);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "it is outside of the project, and only the record of an earlier import",
    );
  });

  test("follows no reference of a recorded file to what lies outside", async () => {
    const outside = makeProject({ "secret.json": '{"type":"string"}' });
    const root = await recorded("api.json");
    const schema = { $ref: `${outside}/secret.json` };
    const content = { "application/json": { schema } };
    const responses = { 200: { description: "ok", content } };
    put(root, "api.json", openApi({ "/a": { get: { responses } } }));
    const { stderr, told } = await again(root);
    expect(JSON.stringify(told) + stderr).toContain("is outside");
  });
});

test("the command line may name what the record may not", async () => {
  const { asked, origin } = await unasked();
  const root = await recorded(`${origin}/api.json`);
  const { stderr } = await importIn(root, ["--check"]);
  const command = `skillc import openapi ${origin}/api.json --name shop --check`;
  expect(stderr).toContain(`to read it, name it: \`${command}\``);
  expect((await importIn(root, command.split(" ").slice(3))).code).toBe(0);
  expect(asked).toEqual(["/api.json"]);
});

test("the command that names a document is safe to be copied into a shell", async () => {
  const root = await recorded("http://127.0.0.1/$(touch mark)'`x`\u001b[2J.json");
  const { stderr } = await importIn(root, ["--check"]);
  expect(stderr).toContain(`'http://127.0.0.1/$(touch mark)'\\''\`x\`␛[2J.json'`);
});

test("an origin that `--allow` names may serve a recorded document", async () => {
  const { asked, origin } = await unasked();
  const root = await recorded(`${origin}/api.json`);
  expect((await importIn(root, ["--allow", origin, "--list"])).code).toBe(0);
  expect(asked).toEqual(["/api.json"]);
});
