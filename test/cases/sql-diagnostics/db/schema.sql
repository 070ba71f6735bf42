CREATE TYPE order_status AS ENUM ('open', 'shipped');

CREATE TABLE customers (
  id uuid PRIMARY KEY,
  name varchar(80) NOT NULL
);

CREATE TABLE orders (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id uuid REFERENCES customers (id),
  status order_status NOT NULL DEFAULT 'open',
  total numeric(10, 2) NOT NULL,
  lines smallint NOT NULL DEFAULT 1,
  tags text[] NOT NULL DEFAULT '{}',
  extra jsonb NOT NULL DEFAULT '{}',
  note text,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE VIEW open_orders AS SELECT id, total, note FROM orders WHERE status = 'open';

CREATE FUNCTION close_order(order_id bigint) RETURNS bigint LANGUAGE sql AS $$
  UPDATE orders SET status = 'shipped' WHERE id = order_id RETURNING id
$$;

CREATE FUNCTION order_count() RETURNS bigint STABLE LANGUAGE sql AS 'SELECT count(*) FROM orders';
