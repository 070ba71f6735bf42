/**
 * Packages that a tool's client and encoder need, and the error of a call if they are not
 * installed.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { queueBinding } from "../../../src/bindings/queue/index.js";
import { providers } from "../../../src/bindings/queue/providers/registry.js";
import { withBinding } from "./compile/support.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** A target of each provider. */
const targets: Readonly<Record<string, object>> = {
  kafka: { topic: "t" },
  nats: { subject: "s" },
  rabbitmq: { exchange: "", routing_key: "q" },
  redis: { stream: "s" },
};

/**
 * Calls a tool of a provider in a process in which some packages can't be found, with the built
 * runtime.
 */
function callWithout(missing: readonly string[], provider: string): unknown {
  const hooks = `const missing = ${JSON.stringify(missing)};
    export function resolve(specifier, context, next) {
      if (!missing.includes(specifier)) return next(specifier, context);
      throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: "ERR_MODULE_NOT_FOUND" });
    }`;
  const program = `
    import { register } from "node:module";
    register("data:text/javascript," + encodeURIComponent(${JSON.stringify(hooks)}));
    const { createRuntime } = await import("@skillc/runtime");
    const { callTool, defineTool } = await import("@skillc/runtime/v1");
    const { ${provider}: provider } = await import("@skillc/runtime/v1/${provider}");
    const { json } = await import("@skillc/runtime/v1/queue");
    const tool = defineTool({
      skill: "desk", name: "tell", version: { skill: "s", binding: "b" }, effect: "write", mode: "active",
      timeoutMs: 5000, retry: { maxAttempts: 1, backoffMs: 1, backoffMultiplier: 1 }, params: () => true,
      binding: provider({
        connection: "EVENTS", encode: json(),
        publish: () => ({ target: ${JSON.stringify(targets[provider])}, message: {} }),
      }),
    });
    const schemes = { kafka: "kafka", nats: "nats", rabbitmq: "amqp", redis: "redis" };
    const credentials = { EVENTS: schemes.${provider} + "://127.0.0.1:1" };
    const runtime = createRuntime({ inherit: false, ledger: false, credentials });
    const error = await callTool(tool, {}, { runtime }).catch((thrown) => thrown);
    console.log(JSON.stringify({ code: error.code, failure: error.failure, message: error.message, outcome: error.outcome }));
  `;
  const args = ["--input-type=module", "--no-warnings", "-e", program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" }));
}

describe.each(providers.map(({ name, packages }) => ({ name, packages })))(
  "$name",
  ({ name, packages }) => {
    test.each(packages)("a call reports how to install %s, and sends nothing", (missing) => {
      expect(callWithout([missing], name)).toMatchObject({
        code: "POLICY.DENY_TOOL",
        failure: { missing: [{ kind: "packages", name: missing }] },
        message: expect.stringContaining(`npm install ${missing}`) as string,
        outcome: "not-done",
      });
    });

    test.each(["esm", "cjs"] as const)(
      "a bundle (%s) holds the provider's client and no other",
      async (format) => {
        const { metafile, warnings } = await build({
          stdin: { contents: `export * from "@skillc/runtime/v1/${name}";`, resolveDir: root },
          bundle: true,
          platform: "node",
          format,
          metafile: true,
          write: false,
        });
        const inputs = Object.keys(metafile.inputs);
        const held = providers
          .flatMap((each) => each.packages)
          .filter((each) => inputs.some((input) => input.startsWith(`node_modules/${each}/`)));
        expect(held).toEqual(packages);
        expect(warnings).toEqual([]);
      },
    );

    test("a call needs neither OpenTelemetry's API nor the packages of other providers", () => {
      const all = ["@opentelemetry/api", "avsc", "protobufjs"];
      const others = providers.filter((each) => each.name !== name);
      const missing = [...all, ...others.flatMap((each) => each.packages)];
      expect(callWithout(missing, name)).toMatchObject({ code: "PROVIDER.UNAVAILABLE" });
    });
  },
);

test("`generate` reports a tool's packages, by its provider and its encoding", () => {
  const packagesOf = (...lines: readonly string[]) => {
    const { resolved } = withBinding(["connection: ${EVENTS}", ...lines]);
    return resolved && queueBinding.packages?.(resolved.config);
  };
  expect(packagesOf("provider: kafka", "topic: t")).toEqual([["kafkajs"]]);
  expect(packagesOf("provider: rabbitmq", "topic: t")).toEqual([["amqplib"]]);
  expect(packagesOf("provider: redis", "topic: t")).toEqual([["ioredis"]]);
  expect(packagesOf("provider: nats", "subject: t")).toEqual([
    ["@nats-io/transport-node"],
    ["@nats-io/jetstream"],
  ]);
});
