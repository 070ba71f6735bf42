import { expect, test } from "vitest";
import { makeProject, skillc } from "../support/command-line.js";
import { echoProject } from "../support/echo-kind.js";

const kindFile = "kinds/echo/index.ts";
const kind = echoProject[kindFile].replace(
  "  check() {},",
  '  packages: () => [["left-pad"], ["one-driver", "other-driver"]],\n  check() {},',
);

/** What `generate` says of packages, as text and as JSON. */
async function missing(manifest: object | undefined) {
  const root = makeProject({
    ...echoProject,
    [kindFile]: kind,
    ...(manifest && { "package.json": JSON.stringify({ type: "module", ...manifest }) }),
  });
  const { stdout } = await skillc(root, ["generate"]);
  const { missingPackages } = JSON.parse((await skillc(root, ["generate", "--json"])).stdout);
  const [, line] = /npm install (.*)/.exec(stdout) ?? [];
  return { line, missingPackages };
}

test("`generate` names the packages that generated code loads and package.json lacks", async () => {
  expect(await missing({})).toEqual({
    line: "@skillc/runtime left-pad one-driver",
    missingPackages: ["@skillc/runtime", "left-pad", "one-driver"],
  });
});

test("`generate` takes any of several drivers, and packages of any section of package.json", async () => {
  const manifest = {
    dependencies: { "@skillc/runtime": "0.1.0", "other-driver": "1" },
    devDependencies: { "left-pad": "1" },
  };
  expect(await missing(manifest)).toEqual({ line: undefined, missingPackages: [] });
});

test("`generate` suggests no packages without a package.json", async () => {
  expect(await missing(undefined)).toEqual({ line: undefined, missingPackages: [] });
});

test("`generate` names Cedar where there are policies, which the runtime decides by", async () => {
  const root = makeProject({
    "package.json": JSON.stringify({ dependencies: { "@skillc/runtime": "0.1.0" } }),
    "skills/desk/SKILL.md":
      "---\nname: desk\ndescription: Answers.\ntools_schema:\n  ask:\n    description: Asks.\n    what: string\n---\nAsk.\n",
    "policies/desk.cedar":
      'forbid(principal, action, resource) unless { context.args.what like "?*" };\n',
  });
  const { stdout } = await skillc(root, ["generate", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ missingPackages: ["@cedar-policy/cedar-wasm"] });
});
