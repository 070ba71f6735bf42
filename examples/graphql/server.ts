import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql, GraphQLError } from "graphql";

/** The schema that `skills/stock-desk/schema.json` describes, in GraphQL's own language. */
export const stockSchema = buildSchema(`
  type Query {
    product(sku: ID!): Product
    products(search: String, first: Int!): [Product!]!
  }

  type Mutation {
    adjustStock(sku: ID!, by: Int!, note: String!): Product!
    addProduct(product: NewProduct!): Product!
  }

  type Product {
    sku: ID!
    name: String!
    stock: Int!
  }

  input NewProduct {
    sku: ID!
    name: String!
    stock: Int = 0
  }
`);

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly stock: number;
}

export interface StockServer {
  /** Such as `http://127.0.0.1:40321`. GraphQL is at `/graphql`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts a server of a warehouse on the loopback interface, at a free port.
 *
 * @param token callers must send it as `Authorization: Bearer …`
 */
export async function startStockServer(
  token: string,
  products: readonly Product[],
): Promise<StockServer> {
  const rootValue = resolvers(new Map(products.map((each) => [each.sku, each])));
  const server = createServer((request, response) => {
    // The request broke off, or its body is not JSON.
    answer(rootValue, token, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The address of a TCP server that listens has this type.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function resolvers(stock: Map<string, Product>) {
  const known = (sku: string): Product => {
    const product = stock.get(sku);
    if (product === undefined) throw new GraphQLError(`there is no product ${sku}`);
    return product;
  };
  const keep = (product: Product): Product => {
    if (product.stock < 0) throw new GraphQLError(`there are not enough pieces of ${product.sku}`);
    stock.set(product.sku, product);
    return product;
  };
  return {
    product: ({ sku }: { sku: string }) => stock.get(sku),
    products: ({ search = "", first }: { search?: string | null; first: number }) =>
      [...stock.values()]
        .filter(({ name }) => name.toLowerCase().includes((search ?? "").toLowerCase()))
        .slice(0, first),
    adjustStock({ sku, by }: { sku: string; by: number }) {
      const product = known(sku);
      return keep({ ...product, stock: product.stock + by });
    },
    addProduct: ({ product }: { product: Product }) => keep(product),
  };
}

async function answer(
  rootValue: ReturnType<typeof resolvers>,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  };
  if (request.headers.authorization !== `Bearer ${token}`) return send(401, { reason: "who?" });
  if (request.url !== "/graphql") return send(404, { reason: "there is nothing here" });
  const { query, variables } = await readBody(request);
  if (typeof query !== "string") return send(400, { reason: "no query" });
  const variableValues = typeof variables === "object" ? { ...variables } : {};
  send(200, await graphql({ schema: stockSchema, source: query, rootValue, variableValues }));
}

async function readBody(
  request: IncomingMessage,
): Promise<{ readonly query?: unknown; readonly variables?: unknown }> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  const body: unknown = JSON.parse(text);
  return typeof body === "object" && body !== null ? body : {};
}
