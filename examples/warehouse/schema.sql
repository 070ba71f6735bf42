-- A small wholesaler's warehouse: what is sold, where it lies, who ordered it.

CREATE TYPE order_status AS ENUM ('open', 'picked', 'shipped', 'cancelled');
CREATE TYPE movement_reason AS ENUM ('delivery', 'order', 'count', 'loss');

CREATE TABLE categories (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  parent_id integer REFERENCES categories (id),
  name varchar(80) NOT NULL
);

CREATE TABLE products (
  sku varchar(20) PRIMARY KEY,
  category_id integer REFERENCES categories (id),
  name varchar(120) NOT NULL,
  price numeric(10, 2) NOT NULL CHECK (price >= 0),
  tags text[] NOT NULL DEFAULT '{}',
  attributes jsonb NOT NULL DEFAULT '{}',
  discontinued_at timestamptz
);

CREATE TABLE locations (
  code varchar(12) PRIMARY KEY,
  aisle smallint NOT NULL,
  capacity integer NOT NULL CHECK (capacity > 0)
);

CREATE TABLE stock (
  sku varchar(20) NOT NULL REFERENCES products (sku),
  location varchar(12) NOT NULL REFERENCES locations (code),
  quantity integer NOT NULL CHECK (quantity >= 0),
  counted_at timestamptz,
  PRIMARY KEY (sku, location)
);

CREATE TABLE movements (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  sku varchar(20) NOT NULL REFERENCES products (sku),
  location varchar(12) NOT NULL REFERENCES locations (code),
  quantity integer NOT NULL CHECK (quantity <> 0),
  reason movement_reason NOT NULL,
  note text,
  moved_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE customers (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name varchar(120) NOT NULL,
  email varchar(254) UNIQUE,
  since date NOT NULL DEFAULT CURRENT_DATE
);

CREATE TABLE orders (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  customer_id uuid REFERENCES customers (id),
  status order_status NOT NULL DEFAULT 'open',
  reference varchar(40) UNIQUE,
  note text,
  created_at timestamptz NOT NULL DEFAULT now(),
  shipped_at timestamptz
);

CREATE TABLE order_lines (
  order_id bigint NOT NULL REFERENCES orders (id),
  line smallint NOT NULL,
  sku varchar(20) NOT NULL REFERENCES products (sku),
  quantity integer NOT NULL CHECK (quantity > 0),
  price numeric(10, 2) NOT NULL,
  PRIMARY KEY (order_id, line)
);

CREATE VIEW order_totals AS
SELECT o.id, o.customer_id, o.status, o.created_at, count(l.line) AS lines, coalesce(sum(l.quantity * l.price), 0) AS total
FROM orders o
LEFT JOIN order_lines l ON l.order_id = o.id
GROUP BY o.id;
