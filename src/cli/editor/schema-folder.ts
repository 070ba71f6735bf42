/** The folder of a project, and of this package, that the schemas for editors are written to. */
export const schemaFolder = "schemas";

/** The files of that folder, by what they are for. */
export const schemaFiles = {
  config: "skillc.schema.json",
  frontMatter: "skill.schema.json",
  metadata: "metadata.schema.json",
} as const;
