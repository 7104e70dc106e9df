-- Customers in one batch; then orders as a stream, committed at every checkpoint.

CREATE TEMPORARY TABLE tpch_customer (
  c_custkey    BIGINT,
  c_name       VARCHAR(25),
  c_nationkey  BIGINT,
  c_phone      CHAR(15),
  c_acctbal    DECIMAL(15, 2),
  c_mktsegment VARCHAR(10)
) WITH (
  'connector' = 'tpch',
  'table' = 'customer',
  'scale' = '${scale}'
);

CREATE TEMPORARY TABLE tpch_orders (
  o_orderkey      BIGINT,
  o_custkey       BIGINT,
  o_orderstatus   CHAR(1),
  o_totalprice    DECIMAL(15, 2),
  o_orderdate     DATE,
  o_orderpriority VARCHAR(15),
  o_clerk         CHAR(15),
  o_shippriority  INT,
  o_comment       VARCHAR(79)
) WITH (
  'connector' = 'tpch',
  'table' = 'orders',
  'scale' = '${scale}',
  -- Slowed down so that the load passes several checkpoints.
  'rows-per-second' = '${orders_per_second}'
);

SET 'execution.runtime-mode' = 'batch';

INSERT INTO customers SELECT * FROM tpch_customer;

SET 'execution.runtime-mode' = 'streaming';

SET 'execution.checkpointing.interval' = '1 s';

INSERT INTO orders SELECT * FROM tpch_orders;
