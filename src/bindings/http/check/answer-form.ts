import type { Report } from "../../../core/report.js";
import type { SchemaModel, ToolModel } from "../../../core/skill-model.js";
import type { Span } from "../../../core/span.js";
import { lookUp } from "../../../schema/look-up.js";
import { typeWords } from "../../../kit/type-words.js";
import type { AnswerForm, HttpConfig } from "../model.js";
import { streamOf } from "../stream-of.js";

/** Reports keys and schemas that don't fit a response that is not JSON. */
export function checkAnswerForm(tool: ToolModel, config: HttpConfig, report: Report): void {
  const { form } = config;
  if (form === undefined || form.as === "json") return;
  const tell = (span: Span, message: string, help: string) => {
    const related = [{ span: form.span, message: `\`${form.as}\` here` }];
    report.add({ code: "http/bad-response", span, message, help, related });
  };
  const { dataPath, pagination, poll, response } = config;
  if (poll !== undefined)
    tell(
      poll.span,
      "`poll` needs a JSON response, but this response is not JSON",
      "remove one of the two",
    );
  if (pagination !== undefined)
    tell(
      pagination.span,
      "`paginate` needs a JSON response, but this response is not JSON",
      "remove one of the two",
    );
  if ((form.as === "text" || form.as === "any") && dataPath !== undefined)
    tell(
      dataPath.span,
      `\`path\` needs a JSON response, but this response is ${form.as === "text" ? "text" : "of any type"}`,
      form.as === "text" ? "remove `path`" : "write `response: json`, or remove `path`",
    );
  if (form.as === "text") {
    checkText(form, tool.returns, "`returns`", report);
    checkText(form, response, "`response_schema`", report);
  }
  if (form.as === "bytes") checkBytes(tool, config, tell);
  checkKeyed(tool, form, tell);
}

type Tell = (span: Span, message: string, help: string) => void;

function checkText(
  form: AnswerForm,
  schema: SchemaModel | undefined,
  what: string,
  report: Report,
): void {
  if (schema === undefined) return;
  const { types } = lookUp(schema, [], "stated");
  if (types.length === 0 || types.includes("string")) return;
  report.add({
    code: "http/returns-mismatch",
    span: schema.span,
    message: `the response is text, but ${what} expects ${typeWords(types)}`,
    help: `write \`type: string\`, or remove ${what}`,
    related: [{ span: form.span, message: "this makes the response text" }],
  });
}

function checkBytes({ returns }: ToolModel, { dataPath, response }: HttpConfig, tell: Tell): void {
  if (dataPath !== undefined)
    tell(
      dataPath.span,
      "`path` needs a JSON response, but this response is bytes",
      "remove `path`",
    );
  for (const [what, schema] of [
    ["returns", returns],
    ["response_schema", response],
  ] as const)
    if (schema !== undefined)
      tell(
        schema.span,
        `\`${what}\` describes JSON, but this response is bytes`,
        `remove \`${what}\`; to name the kind of bytes, write \`type: application/pdf\` in \`response\``,
      );
}

/** Reports `idempotency: keyed` for an answer that skillc can't keep: a stream or unsaved bytes. */
function checkKeyed({ governance }: ToolModel, form: AnswerForm, tell: Tell): void {
  const keyed = governance?.idempotency;
  if (keyed === undefined) return;
  if (streamOf(form) !== undefined)
    tell(
      keyed.span,
      "skillc doesn't keep a stream, so it couldn't answer a repeated call",
      "remove `idempotency: keyed`, or read the response as a whole instead of a stream",
    );
  else if ((form.as === "bytes" && form.save === undefined) || form.as === "any")
    tell(
      keyed.span,
      "skillc doesn't keep unsaved bytes, so it couldn't answer a repeated call",
      "write `response: { as: bytes, save: true }`: skillc then keeps the record of the file",
    );
}
