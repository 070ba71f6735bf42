/** Names of the file beside SKILL.md that may declare a skill's tools and settings; of several, the first is read. */
export const metadataNames: readonly string[] = ["metadata.json", "metadata.yaml", "metadata.yml"];
