import type { Catalogue } from "../../core/catalogue.js";

const skill = "---\nname: desk\ndescription: Answer customers.\n---\n\nAnswer politely.\n";

/** Codes that JSON files can cause beyond those of YAML. */
export const jsonCatalogue: Catalogue = {
  "parse/invalid-json": {
    severity: "error",
    title: "text that is not JSON",
    explanation:
      "The file is read as strict JSON (RFC 8259): no comments, no comma before a closing bracket, strings and keys in double quotes.",
    example: {
      "skills/desk/SKILL.md": skill,
      "skills/desk/metadata.json": '{\n  "author": "orders",\n}\n',
    },
    fixed: {
      "skills/desk/SKILL.md": skill,
      "skills/desk/metadata.json": '{\n  "author": "orders"\n}\n',
    },
  },
};
