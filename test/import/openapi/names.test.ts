import { describe, expect, test } from "vitest";
import type { Operation } from "../../../src/import/openapi/model.js";
import {
  apiName,
  settingName,
  skillName,
  toolNames,
} from "../../../src/import/openapi/skills/names.js";

function operation(key: string, id?: string, ...tags: readonly string[]): Operation {
  const [method = "", path = ""] = key.split(" ");
  const document = { uri: "", file: { path: "", text: "" }, value: null };
  return {
    method,
    path,
    ...(id !== undefined && { id }),
    tags,
    at: { document, pointer: "" },
    isDeprecated: false,
    parameters: [],
    responses: [],
    servers: [],
    notes: [],
  };
}

const named = (
  skill: string,
  operations: readonly Operation[],
  known = new Map<string, string>(),
) => toolNames(skill, operations, known);

describe("the name of a tool", () => {
  test.each([
    ["GET /pets", "listPets", "list-pets"],
    ["GET /pets", "pets/list-all", "list-all"],
    ["GET /pets", "pets_list", "list"],
    ["DELETE /pets/{id}", "pets/delete", "pets-delete"],
    ["GET /pets/{petId}/toys", undefined, "get-pets-pet-id-toys"],
    ["GET /pets", "…", "get-pets"],
    ["GET /pets", "default", "get-pets"],
  ])("comes from %s and the id %s: %s", (key, id, name) => {
    expect(named("pets", [operation(key, id)])).toEqual([name]);
  });

  test("contains at most 64 characters with its skill's, and differs if the id differs", () => {
    const long = "list".repeat(30);
    const names = named("pets", [
      operation("GET /a", `${long}One`),
      operation("GET /b", `${long}Two`),
    ]);
    expect(names.every((name) => `pets__${name}`.length <= 64)).toBe(true);
    expect(new Set(names).size).toBe(2);
  });

  test("does not depend on other operations or their order", () => {
    const all = [
      operation("GET /a", "find"),
      operation("GET /b", "Find"),
      operation("GET /c", "other"),
    ];
    const names = new Map(all.map((each, index) => [each, named("s", all)[index]]));
    const turned = all.toReversed();
    expect(named("s", turned)).toEqual(turned.map((each) => names.get(each)));
    expect([...names.values()]).toEqual(["get-a", "get-b", "other"]);
  });

  test("stays with its operation if a new one would get the same name", () => {
    const all = [operation("GET /a", "find"), operation("GET /b", "Find")];
    expect(named("s", all, new Map([["GET /b", "find"]]))).toEqual(["get-a", "find"]);
  });

  test("contains a hash if two paths give the same name", () => {
    const names = named("s", [operation("GET /a/b"), operation("GET /a-b"), operation("GET /a_b")]);
    expect(new Set(names).size).toBe(3);
    expect(names.every((name) => /^get-a-b-[0-9a-f]{6}$/.test(name))).toBe(true);
  });
});

describe("the name of a skill", () => {
  test.each([
    [["Pet Store"], "/a", "pet-store"],
    [[], "/v1/pets/{id}", "pets"],
    [[], "/api/v2.0/pets", "pets"],
    [[], "/{id}", "shop"],
    [["import"], "/a", "shop-import"],
    [["schemas"], "/a", "shop-schemas"],
    [["店"], "/a", "tag-2c0e9c"],
  ])("comes from the tags %j and the path %s: %s", (tags, path, name) => {
    const found = skillName(operation(`GET ${path}`, undefined, ...tags), "shop", "");
    expect(found.replace(/^tag-[0-9a-f]{6}$/, "tag-2c0e9c")).toBe(name);
  });
});

test.each([
  ["GitHub v3 REST API", "github"],
  ["Swagger Petstore - OpenAPI 3.0", "petstore"],
  ["GitHub's official OpenAPI spec", "github"],
  ["API", "api"],
  ["***", /^api-[0-9a-f]{6}$/],
])("the API's title %s becomes the name %s", (title, name) => {
  expect(apiName(title)).toMatch(name);
});

test("the names of settings are in capitals", () => {
  expect(settingName("pet-store", "apiKey")).toBe("PET_STORE_API_KEY");
  expect(settingName("1forge", "url")).toBe("API_1FORGE_URL");
});
