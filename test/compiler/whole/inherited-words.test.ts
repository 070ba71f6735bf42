/** Words of documents and skills that every object inherits as names. */
import { expect, test } from "vitest";
import { castOf } from "../../../src/import/database/columns.js";
import { importText, ok, openApi } from "../../import/openapi/support.js";
import { desk, resolveProject } from "../resolve/skill-project.js";

const inherited = ["constructor", "toString", "__proto__"];

test.each(inherited)(
  "a security scheme of the type %s is one that no tool can do",
  async (type) => {
    const paths = { "/a": { get: { security: [{ odd: [] }], ...ok } } };
    const { report, stderr } = await importText(
      openApi(paths, { components: { securitySchemes: { odd: { type } } } }),
    );
    expect(stderr).not.toContain("bug in skillc");
    expect(report.operations[0]?.notes.map(({ message }) => message)).toContain(
      "tools do not support the authentication `odd`",
    );
  },
);

test.each(inherited)("a column of the type %s is cast to that type", (sql) => {
  expect(castOf({ isArray: false, kind: "other", name: sql, sql })).toBe(sql);
});

test.each(inherited)("a grant called %s is an unknown grant", async (grant) => {
  const url = "url: 'https://api.example.com/a'";
  const auth = `auth: { oauth2: { grant: ${grant}, token_url: 'https://id.example.com/t' } }`;
  const { diagnostics } = await resolveProject(
    desk(`tools: { get: { binding: { type: http, method: GET, ${url}, ${auth} } } }`),
  );
  const first = diagnostics.find(({ severity }) => severity === "error");
  expect(first?.message).toContain("grant");
});
