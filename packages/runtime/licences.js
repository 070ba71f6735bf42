import { readFileSync } from "node:fs";

/** Returns the licences of bundled libraries as one text. */
export function licencesOf(names) {
  const licences = names.map((name) => {
    const { version } = JSON.parse(readFileSync(modulePath(`${name}/package.json`), "utf8"));
    return `${name} ${version}\n\n${licenceText(name).trim()}\n`;
  });
  return licences.join(`\n${"-".repeat(80)}\n\n`);
}

function licenceText(name) {
  for (const file of ["LICENSE", "LICENSE.md", "LICENCE", "license", "LICENSE.txt"]) {
    try {
      return readFileSync(modulePath(`${name}/${file}`), "utf8");
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  throw new Error(`${name} has no file with its licence`);
}

function modulePath(file) {
  return new URL(`../../node_modules/${file}`, import.meta.url);
}
