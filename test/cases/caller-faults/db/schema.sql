CREATE TABLE orders (
  id bigint PRIMARY KEY,
  tenant text NOT NULL,
  placed_by varchar(40) NOT NULL,
  total integer NOT NULL,
  tenant_number integer
);
ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
ALTER TABLE orders FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON orders USING (tenant = current_setting('app.tenant'));
CREATE TABLE accounts (id uuid PRIMARY KEY, name text NOT NULL);
