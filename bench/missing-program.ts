/** Error for a program that a benchmark needs and that is not installed. */
export class MissingProgram extends Error {
  override readonly name = "MissingProgram";

  /** @param install command that installs it on Debian */
  constructor(program: string, install: string) {
    super(`there is no \`${program}\`; on Debian: \`${install}\``);
  }
}
