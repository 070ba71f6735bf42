import type { Untyped } from "./compile-untyped.js";

/**
 * Checks what every compilation promises, and returns the broken promises: each diagnostic lies
 * inside its file and can be shown, and there is output exactly if there is no error.
 */
export function brokenPromises(
  { diagnostics, files: output }: Untyped,
  files: Readonly<Record<string, string>>,
): readonly string[] {
  const isWrong = diagnostics.some((each) => each.severity === "error");
  return [
    ...diagnostics.flatMap(({ span, message, help = "" }) => {
      const length = files[span.file]?.length ?? -1;
      const isInside = span.start >= 0 && span.start <= span.end && span.end <= length;
      return [
        ...(isInside ? [] : [`${span.file}:${span.start}-${span.end} is no place: ${message}`]),
        ...(unprintable.test(message + help) ? [`unprintable: ${message}${help}`] : []),
        ...(/undefined|\[object|NaN/.test(message) ? [`ours, not the author's: ${message}`] : []),
      ];
    }),
    ...(isWrong === (output.length === 0)
      ? []
      : [`${output.length} files with errors: ${isWrong}`]),
  ];
}

const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
