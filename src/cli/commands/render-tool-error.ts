import { type Palette, withCodeSpans } from "../console/palette.js";
import { wrap } from "../console/wrap.js";
import { fieldsOf, type ToolErrorEntry } from "../tool-errors.js";

/** What `skillc explain PROVIDER.TIMEOUT` prints. */
export function renderToolError(
  code: string,
  entry: ToolErrorEntry,
  palette: Palette,
  width: number,
): readonly string[] {
  const paragraph = (text: string, indent = "") =>
    wrap(text, width - indent.length).map((line) => indent + withCodeSpans(line, palette));
  const fields = fieldsOf(entry).flatMap(([name, about]) =>
    typeof about === "string"
      ? paragraph(`\`${name}\`: ${about}`, "  ")
      : [`  ${palette.cyan(name)}`, ...words(about).flatMap((each) => paragraph(each, "    "))],
  );
  return [
    `${palette.red(code)}${palette.bold(`: ${entry.title}`)}`,
    "",
    ...paragraph(entry.explanation),
    "",
    palette.bold("Fields of `failure`"),
    ...fields,
    "",
    palette.bold("What to do"),
    ...paragraph(`Try again? ${entry.retry}`, "  "),
    ...paragraph(`Tell the model? ${entry.model}`, "  "),
    ...paragraph(`Page someone? ${entry.operator}`, "  "),
  ];
}

function words(about: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(about).map(([word, meaning]) => `\`${word}\`: ${meaning}`);
}
