import { Console } from "node:console";
import { once } from "node:events";
import { Writable } from "node:stream";
import { format, inspect } from "node:util";
import { deserialize, serialize } from "node:v8";
import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { Secret } from "../../../src/runtime/credentials/secret.js";

const value = "hunter2-and-more";
const secret = new Secret("TOKEN", value);

const spellings: Readonly<Record<string, () => unknown>> = {
  String: () => String(secret),
  "a template": () => `${secret}`,
  toLocaleString: () => secret.toLocaleString(),
  "JSON.stringify": () => JSON.stringify({ deep: [secret] }),
  "util.inspect": () => inspect({ deep: { deeper: [secret] } }, { depth: null, showHidden: true }),
  "util.inspect without custom": () => inspect(secret, { customInspect: false, showHidden: true }),
  "util.format": () => format("%s %o %O %j %d", secret, secret, secret, secret, secret),
  structuredClone: () => inspect(structuredClone(secret), { showHidden: true }),
  "v8.serialize": () => inspect(deserialize(serialize(secret)), { showHidden: true }),
  "bytes of v8.serialize": () => serialize(secret).toString("latin1"),
  "an error's message": () => new Error(`no ${secret}`).message,
  "an error's cause": () => inspect(new Error("no", { cause: { secret } })),
  spread: () => inspect({ ...secret }),
  "Object.assign": () => inspect(Object.assign({}, secret)),
  "Object.values": () => inspect(Object.values(secret)),
  "Object.entries": () => inspect(Object.entries(secret)),
  "own properties": () => inspect(Reflect.ownKeys(secret).map((key) => Reflect.get(secret, key))),
  "for in": () => {
    const seen: unknown[] = [];
    for (const key in secret) seen.push(Reflect.get(secret, key));
    return inspect(seen);
  },
  URL: () => new URL(`http://a.example/?q=${secret}`).href,
  "a Map's key": () => inspect(new Map([[secret, secret]])),
};

test.each(Object.entries(spellings))("%s doesn't show the value", (_, spell) => {
  expect(String(spell())).not.toContain(value);
});

test.each(["String", "a template", "JSON.stringify", "util.inspect", "an error's message"])(
  "%s shows the name",
  (spelling) => {
    expect(spellings[spelling]?.()).toContain("${TOKEN}");
  },
);

test("the console shows the name", () => {
  let written = "";
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const own = new Console(stdout);
  own.log(secret, { secret }, [secret]);
  own.dir(secret, { showHidden: true });
  own.table([{ secret }]);
  own.log("%s %o %O %j", secret, secret, secret, secret);
  expect(written).toContain("${TOKEN}");
  expect(written).not.toContain(value);
});

test("another thread never gets the value", async () => {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage({ secret });
  const [received] = await once(port2, "message");
  port1.close();
  expect(inspect(received, { showHidden: true })).not.toContain(value);
});

test("a number is not made of it", () => {
  expect(Number(new Secret("PORT", "15672"))).toBeNaN();
});

test("only `reveal` opens it, and only a true one", () => {
  expect(Secret.reveal(secret)).toBe(value);
  expect(() => Secret.reveal(Object.create(Secret.prototype) as Secret)).toThrow(TypeError);
});
