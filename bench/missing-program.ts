/** A benchmark needs a program that is not installed. */
export class MissingProgram extends Error {
  override readonly name = "MissingProgram";

  /** @param install what installs it on Debian */
  constructor(program: string, install: string) {
    super(`there is no \`${program}\`; on Debian: \`${install}\``);
  }
}
