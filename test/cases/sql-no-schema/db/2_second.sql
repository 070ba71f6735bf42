-- One more.
CREATE TABLE lines (
  id bigint PRIMARY KEY,
  order_id bigint REFERENCES ordres (id)
);
