import type { Answer } from "../publish.js";
import type { OpenedTexts, Sealed } from "../sealed.js";

/**
 * The answer with `${NAME}` where a credential is a part of a name: receipts are kept, and given to models.
 *
 * @param shown the target with credentials as their names
 */
export function shownAnswer(
  answer: Answer,
  { credentials, target }: Sealed,
  shown: () => OpenedTexts["target"],
): Answer {
  if (credentials.length === 0) return answer;
  const names = Object.entries(shown()).filter(([field]) => typeof target[field] === "object");
  return withNames(answer, names);
}

/** The answer with other names in it, where it has any of that field. */
export function withNames(
  answer: Answer,
  names: readonly (readonly [field: string, name: string | number])[],
): Answer {
  const place = answer.status === "unroutable" ? answer.error : answer.data;
  const replaced = Object.fromEntries(names.filter(([field]) => field in place));
  return answer.status === "unroutable"
    ? { ...answer, error: { ...answer.error, ...replaced } }
    : { ...answer, data: { ...answer.data, ...replaced } };
}
