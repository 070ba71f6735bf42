/** A project with one plan, `desk/inform`, over handlers of the same skill. */
export function planFiles(
  steps: string,
  { keys = "", parameters = "id: { type: string }", tools = "" } = {},
): Readonly<Record<string, string>> {
  return {
    "skills/desk/SKILL.md": "---\nname: desk\ndescription: Looks up orders.\n---\n",
    "skills/desk/metadata.yaml": `tools_schema:
  inform:
    description: Tells the customer of an order about it.
    parameters: { type: object, required: [id], properties: { ${parameters} } }
    binding:
      type: plan
      steps:
${indented(steps, 8)}${indented(keys, 6)}${common}${tools}`,
  };
}

function indented(text: string, spaces: number): string {
  if (text.trim() === "") return "";
  return text
    .trim()
    .split("\n")
    .map((line) => `${" ".repeat(spaces)}${line}\n`)
    .join("");
}

const common = `  find-order:
    description: Finds an order.
    parameters: { type: object, required: [id], properties: { id: { type: string } } }
    binding: { type: handler, effect: read }
    returns:
      type: object
      required: [customer, lines, total, state]
      properties:
        customer: { type: string }
        note: { type: string }
        secret: { type: string, x-sensitive: true }
        total: { type: number }
        state: { type: string, enum: [open, sent] }
        lines:
          type: array
          items: { type: object, required: [sku], properties: { sku: { type: string }, size: { type: string } } }
  tell-customer:
    description: Sends a message to a customer.
    parameters:
      type: object
      required: [customer]
      properties: { customer: { type: string }, text: { type: string } }
    returns: { type: object, required: [id], properties: { id: { type: string } } }
`;
