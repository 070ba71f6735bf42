import type { Finding } from "../../core/diagnostic.js";
import { metadataNames } from "../metadata-names.js";
import { isOneSlipFrom } from "./one-slip.js";

/**
 * Files of a skill's folder that are named nearly as its metadata file would be, where it has none: passed over in silence, the tools in
 * them would seem not to be there.
 *
 * @param folder path of the folder in the project
 * @param names those of its files
 */
export function misnamedMetadata(folder: string, names: readonly string[]): readonly Finding[] {
  if (names.some((name) => metadataNames.includes(name))) return [];
  return names.flatMap((name) => {
    const lower = name.toLowerCase();
    const meant = metadataNames.find((each) => each === lower || isOneSlipFrom(lower, each));
    if (meant === undefined) return [];
    return {
      code: "read/misnamed-metadata" as const,
      span: { file: `${folder}/${name}`, start: 0, end: 0 },
      message: `\`${name}\` is not the name of a skill's metadata, so it is not read`,
      help: `rename it to \`${meant}\` if the skill's tools are in it`,
    };
  });
}
