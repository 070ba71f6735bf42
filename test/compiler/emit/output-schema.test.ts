import { describe, expect, test } from "vitest";
import { filesOf, misfits } from "../../support/answers-fit.js";

const cases = ["effects", "governed-project", "hashed-answers", "http-answers", "http-forms"];
const others = ["http-statuses", "int64", "plans", "queue-unions", "shared-schemas"];

describe("results of tools", () => {
  test.each([...cases, ...others])(
    "fit the published schema, also after obligations: %s",
    async (name) => {
      const files = filesOf(`test/cases/${name}`, ["skills", "skillc.yaml"]);
      expect(await misfits(files)).toEqual([]);
    },
  );
});
