CREATE TABLE customers (id uuid PRIMARY KEY);
\i tables/orders.sql
