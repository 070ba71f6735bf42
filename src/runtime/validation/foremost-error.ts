import type { AjvError } from "./ajv-error.js";

/**
 * The error to tell when only one is told. Of a union that a value fits no form of, Ajv reports every form, one after another: what counts is what keeps the
 * value from a form of its own type, and only without such a form that there is none.
 */
export function foremostError(errors: readonly AjvError[]): AjvError | undefined {
  const [first] = errors;
  const union = errors.findLastIndex(
    (each, index) => isUnion(each) && errors.slice(0, index).every((other) => isAt(each, other)),
  );
  const whole = errors[union];
  if (whole === undefined || union === 0) return first;
  const ofForms = errors.slice(0, union);
  const telling = ofForms.filter((each) => !isOfOtherForm(each, whole));
  return telling.length > 0 ? foremostError(telling) : (otherType(ofForms) ?? whole);
}

function isUnion({ keyword }: AjvError): boolean {
  return keyword === "anyOf" || keyword === "oneOf";
}

/** Whether an error is at the place of another, or below. */
function isAt({ instancePath: place }: AjvError, { instancePath }: AjvError): boolean {
  return instancePath === place || instancePath.startsWith(`${place}/`);
}

/** Of a form that the value was not meant to have: another type, or one that was ruled out at once. */
function isOfOtherForm({ instancePath, keyword }: AjvError, whole: AjvError): boolean {
  const rulesOut = ["type", "const", "if", "false schema"].includes(keyword);
  return rulesOut && instancePath === whole.instancePath;
}

/** That a value is of none of the forms' types. */
function otherType(errors: readonly AjvError[]): AjvError | undefined {
  const [first] = errors;
  if (first === undefined || errors.some(({ keyword }) => keyword !== "type")) return undefined;
  const types = errors.flatMap(({ params }) => params?.["type"] ?? []);
  return { ...first, params: { type: [...new Set(types)] } };
}
