import { readFileSync } from "node:fs";
import { writeSkills } from "./many-skills.js";
import { repository } from "../test/support/repository.js";

const schema = readFileSync(`${repository}examples/warehouse/schema.sql`, "utf8");

/**
 * Settings and schema of a project whose SQL tools use the tables of examples/warehouse, by path.
 */
export const warehouseFiles = {
  "skillc.yaml": "databases:\n  WAREHOUSE_URL: { schema: [schema.sql] }\n",
  "schema.sql": schema,
};

/** Writes a project with a number of skills, each with a number of SQL tools. */
export function writeSqlProject(folder: string, skills: number, toolsEach: number): void {
  writeSkills(folder, skills, toolsEach, warehouseFiles, sqlTool);
}

/** A SQL tool of ordinary size on the tables of examples/warehouse. */
export function sqlTool(skill: number, tool: number): object {
  const shape = shapes[tool % shapes.length] ?? shapes[0];
  const description = `Does thing ${tool} of skill ${skill}.`;
  const binding = { type: "sql", connection: "${WAREHOUSE_URL}", ...shape.binding };
  return { ...shape, description, binding };
}

const sku = { type: "string", minLength: 1, maxLength: 20 };

function parameters(properties: object): object {
  const required = Object.keys(properties);
  return { type: "object", additionalProperties: false, required, properties };
}

const shapes = [
  {
    parameters: parameters({ sku }),
    binding: {
      query:
        "SELECT p.sku, p.name, p.price, p.tags, c.name AS category FROM products p LEFT JOIN categories c ON c.id = p.category_id WHERE p.sku = :sku",
      rows: "one",
    },
  },
  {
    parameters: parameters({ since: { type: "string", format: "date-time" } }),
    binding: {
      query:
        "SELECT t.id, t.status, t.total, c.name AS customer FROM order_totals t LEFT JOIN customers c ON c.id = t.customer_id WHERE t.created_at >= :since ORDER BY t.created_at DESC, t.id",
    },
  },
  {
    parameters: parameters({ below: { type: "integer", minimum: 1, maximum: 1000 } }),
    binding: {
      query:
        "SELECT p.sku, p.name, coalesce(sum(s.quantity), 0) AS pieces FROM products p LEFT JOIN stock s USING (sku) WHERE p.discontinued_at IS NULL GROUP BY p.sku, p.name HAVING coalesce(sum(s.quantity), 0) < :below ORDER BY pieces, p.sku",
    },
  },
  {
    parameters: parameters({ sku }),
    binding: {
      query:
        "SELECT moved_at, quantity, sum(quantity) OVER (ORDER BY moved_at, id) AS balance, lag(moved_at) OVER (ORDER BY moved_at, id) AS before FROM movements WHERE sku = :sku ORDER BY moved_at, id",
    },
  },
  {
    parameters: parameters({
      sku,
      location: { type: "string", maxLength: 12 },
      quantity: { type: "integer", minimum: 0, maximum: 9999 },
    }),
    risk_level: "high",
    binding: {
      query:
        "INSERT INTO stock (sku, location, quantity, counted_at) VALUES (:sku, :location, :quantity, now()) ON CONFLICT (sku, location) DO UPDATE SET quantity = excluded.quantity RETURNING sku, location, quantity",
      rows: "one",
      read_only: false,
      idempotency: "natural",
    },
  },
] as const;
