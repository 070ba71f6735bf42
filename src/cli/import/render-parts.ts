/** Common parts of all import reports. */
import type { ImportDraft } from "../../import/again/draft-import.js";
import type { CommandContext } from "../command-context.js";
import { placeOf } from "../compare/render.js";
import { paletteFor, withCodeSpans } from "../console/palette.js";
import { visible } from "../console/visible.js";
import { wantsColour, widthOf } from "../io.js";
import { colorsOf, printable, renderTable } from "../ledger/console-style.js";

const longestCell = 60;

/** If there are more diagnostics, they are shown without their source. */
export const maxInFull = 10;

/** A table as wide as the terminal. */
export function renderRows(
  { io }: CommandContext,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const colors = colorsOf({ color: wantsColour(io.stdout, io.env), width: widthOf(io.stdout) });
  const cells = rows.map((row) => row.map((cell) => printable(cell, longestCell)));
  return renderTable(
    heads.map((head) => ({ head })),
    cells,
    colors,
  );
}

/** Signs for a whole, a partial or no import. */
export const signs = { whole: "✓", part: "~", no: "✗" } as const;

/**
 * Renders the changes since the last import.
 *
 * @param origin name of the source, such as `the API`
 */
export function changeLines(
  { changes }: ImportDraft,
  origin: string,
  { io }: CommandContext,
): readonly string[] {
  if (changes === undefined || changes.skills.length === 0) return [];
  const out = paletteFor(io.stdout, io.env);
  const paints = { major: out.red, minor: out.yellow, patch: out.blue };
  const lines = changes.skills
    .flatMap(({ differences, name, tools }) => [{ id: name, differences }, ...tools])
    .flatMap(({ differences, id }) =>
      differences.map((each) => {
        const where =
          each.field === "id" || each.field === "name" ? "" : ` ${out.dim(placeOf(each))}`;
        const what = withCodeSpans(visible(each.what), out);
        return `  ${paints[each.verdict](each.verdict)}  ${visible(id)}${where} ${what}`;
      }),
    );
  return [out.bold(`Changes in ${origin}:`), ...lines, ""];
}
