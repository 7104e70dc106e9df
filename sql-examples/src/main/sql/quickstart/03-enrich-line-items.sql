-- A stream of line items; each looks up its order, and the order's customer, in the tables just loaded.

CREATE TEMPORARY TABLE tpch_lineitem (
  l_orderkey      BIGINT,
  l_linenumber    INT,
  l_quantity      DECIMAL(15, 2),
  l_extendedprice DECIMAL(15, 2),
  l_discount      DECIMAL(15, 2),
  l_shipdate      DATE,
  l_shipmode      VARCHAR(10),
  proc_time AS PROCTIME()
) WITH (
  'connector' = 'tpch',
  'table' = 'lineitem',
  'scale' = '${scale}'
);

-- Each commit costs files and compaction; every few seconds is plenty here.
SET 'execution.checkpointing.interval' = '3 s';

INSERT INTO line_items
SELECT
  l.l_orderkey, l.l_linenumber, l.l_quantity, l.l_extendedprice, l.l_discount, l.l_shipdate, l.l_shipmode,
  o.o_orderdate, o.o_orderpriority,
  c.c_custkey, c.c_name, c.c_mktsegment
FROM tpch_lineitem AS l
JOIN orders FOR SYSTEM_TIME AS OF l.proc_time AS o ON l.l_orderkey = o.o_orderkey
JOIN customers FOR SYSTEM_TIME AS OF l.proc_time AS c ON o.o_custkey = c.c_custkey;
