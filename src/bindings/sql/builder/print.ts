import {
  type Code,
  code,
  ident,
  join,
  literal,
  memberKey,
  nothing,
  objectKey,
  templateText,
} from "../../../core/code.js";
import type { Chain, ChainType, Template } from "./chain.js";

/** Code for names outside the chain. */
interface PrintOptions {
  /** The value of a placeholder: `params.since`. */
  readonly parameter: (placeholder: string) => Code;
  /** The type of the database's tables: `Database`. */
  readonly database: Code;
  /** Kysely's template tag: `sql`. */
  readonly sql: Code;
}

/** Prints a chain as TypeScript on one line; prettier formats it. */
export function printChain(chain: Chain, options: PrintOptions): Code {
  const print = (each: Chain) => printChain(each, options);
  switch (chain.kind) {
    case "name":
      return chain.name === "sql" ? options.sql : ident(chain.name);
    case "call":
      return code`${print(chain.on)}.${ident(chain.method)}${typeArguments(chain.types, options)}(${listCode(chain.arguments, print)})`;
    case "apply":
      return code`${print(chain.on)}${typeArguments(chain.types, options)}(${listCode(chain.arguments, print)})`;
    case "member":
      return code`${print(chain.on)}.${ident(chain.name)}`;
    case "literal":
      return literal(chain.value);
    case "list":
      return code`[${listCode(chain.items, print)}]`;
    case "record":
      return printRecord(chain, print);
    case "lambda":
      return printLambda(chain, print);
    case "parameter":
      return options.parameter(chain.name);
    case "template":
      return printTemplate(chain, options);
  }
}

type Print = (chain: Chain) => Code;

function listCode(chains: readonly Chain[], print: Print): Code {
  return join(chains.map(print), code`, `);
}

function printRecord({ entries }: Extract<Chain, { kind: "record" }>, print: Print): Code {
  const printed = entries.map(([key, value]) => code`${objectKey(key)}: ${print(value)}`);
  return code`{ ${join(printed, code`, `)} }`;
}

function printLambda({ parameters, body }: Extract<Chain, { kind: "lambda" }>, print: Print): Code {
  const printed = body.kind === "record" ? code`(${print(body)})` : print(body);
  return code`(${join(parameters.map(ident), code`, `)}) => ${printed}`;
}

function printTemplate({ type, strings, values }: Template, options: PrintOptions): Code {
  const pieces = strings.map((text, index) => {
    const value = values[index];
    const fixed = templateText(text);
    return value === undefined ? fixed : code`${fixed}\${${printChain(value, options)}}`;
  });
  const isUnknown = type.kind === "keyword" && type.name === "unknown";
  const typed = isUnknown ? nothing : typeArguments([type], options);
  return code`${options.sql}${typed}\`${join(pieces)}\``;
}

function typeArguments(types: readonly ChainType[] | undefined, options: PrintOptions): Code {
  if (types === undefined) return nothing;
  const printed = types.map((each) => printType(each, options.database));
  return code`<${join(printed, code`, `)}>`;
}

/** Prints a type; `database` is the code of the type of the database's tables. */
function printType(type: ChainType, database: Code): Code {
  switch (type.kind) {
    case "keyword":
      return ident(type.name);
    case "array":
      return code`(${printType(type.of, database)})[]`;
    case "union":
      return join(
        type.of.map((each) => printType(each, database)),
        code` | `,
      );
    case "labels":
      return type.of.length === 0
        ? code`never`
        : join(
            type.of.map((each) => literal(each)),
            code` | `,
          );
    case "columns":
      return printColumns(type, database);
    case "row":
      return code`${database}[${literal(type.table)}]`;
    case "column":
      return code`${database}[${literal(type.table)}][${literal(type.column)}]`;
  }
}

function printColumns({ of }: Extract<ChainType, { kind: "columns" }>, database: Code): Code {
  if (of.length === 0) return code`object`;
  const members = of.map(([name, type]) => code`${memberKey(name)}: ${printType(type, database)}`);
  return code`{ ${join(members, code`; `)} }`;
}
