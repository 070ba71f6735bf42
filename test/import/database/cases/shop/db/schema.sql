COMMENT ON SCHEMA public IS 'What the shop sells, and to whom.';
CREATE SCHEMA billing;
CREATE TYPE order_status AS ENUM ('open', 'shipped');
CREATE DOMAIN email AS text CHECK (VALUE LIKE '%@%');
CREATE DOMAIN priority AS integer NOT NULL DEFAULT 3;

CREATE TABLE customers (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name varchar(80) NOT NULL,
  mail email UNIQUE,
  password text,
  priority priority,
  version integer NOT NULL DEFAULT 1
);
COMMENT ON TABLE customers IS 'Who buys.

Companies have no row here. */ `x` ${HOME} {name}
---
name: other';
COMMENT ON COLUMN customers.mail IS 'Where invoices go: [first';

CREATE TABLE orders (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id bigint NOT NULL REFERENCES customers,
  reference varchar(20) NOT NULL UNIQUE,
  status order_status NOT NULL DEFAULT 'open',
  total numeric(10, 2) NOT NULL DEFAULT 0,
  gross numeric GENERATED ALWAYS AS (total * 1.19) STORED,
  note text DEFAULT '',
  tags text[] NOT NULL DEFAULT '{}',
  attributes jsonb,
  shipped_on date,
  created_at timestamptz NOT NULL DEFAULT now(),
  paid boolean NOT NULL DEFAULT false,
  home text DEFAULT '${HOME}',
  version integer NOT NULL DEFAULT 1
);
CREATE INDEX ON orders (total);
CREATE UNIQUE INDEX paid_once ON orders (reference) WHERE paid;
COMMENT ON COLUMN orders.total IS 'In euros, without tax.';

CREATE TABLE "Order Lines" (
  order_id uuid NOT NULL REFERENCES orders,
  "Line No" integer NOT NULL,
  "__proto__" text,
  constructor text,
  "limit" integer,
  "gift?" boolean,
  "a${b}" text,
  "select" text,
  PRIMARY KEY (order_id, "Line No")
);

CREATE TABLE log (at timestamptz NOT NULL, what text, data bytea);
CREATE TABLE tags (order_id uuid REFERENCES orders, tag text, PRIMARY KEY (order_id, tag));
CREATE TABLE counters (id serial PRIMARY KEY);
CREATE TABLE seats (place integer UNIQUE, held_by text);
CREATE TABLE nothing ();

CREATE TABLE events (id bigint, at date, what text NOT NULL, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
CREATE TABLE events_2026 PARTITION OF events FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');

CREATE TABLE billing.invoices (
  id serial PRIMARY KEY,
  amount money,
  at timestamp,
  span int4range,
  place point,
  took interval,
  document xml,
  bits bit(3),
  ip inet,
  statuses order_status[],
  share real NOT NULL DEFAULT 0.5,
  "order" uuid REFERENCES orders
);

CREATE VIEW open_orders AS SELECT id, reference, total FROM orders WHERE status = 'open';
CREATE VIEW totals AS SELECT customer_id, sum(total) AS total FROM orders GROUP BY customer_id;
CREATE MATERIALIZED VIEW counts AS SELECT customer_id, count(*) AS orders FROM orders GROUP BY customer_id;
CREATE UNIQUE INDEX ON counts (customer_id);
