/** Returns the URI of a skill's main file. */
export function skillUri(name: string): string {
  return `skill://${name}/SKILL.md`;
}
