CREATE TABLE products (
  sku text PRIMARY KEY,
  name text NOT NULL,
  stock integer NOT NULL
);
