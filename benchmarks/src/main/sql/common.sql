-- What all jobs have: generated inputs and a sink that takes anything.
CREATE TEMPORARY TABLE generated_line_items (
  l_orderkey BIGINT, l_linenumber INT, l_partkey BIGINT, l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),
  l_shipdate DATE, l_shipmode VARCHAR(10), l_comment VARCHAR(44)
) WITH ('connector' = 'tpch', 'table' = 'lineitem', 'scale' = '${scale}');

CREATE TEMPORARY TABLE numbers (n BIGINT) WITH ('connector' = 'numbers', 'rows' = '${rows}');

-- Eight columns; the ids of the first ${rows} are all different and come in no order.
CREATE TEMPORARY VIEW events AS SELECT
  MOD(n * 1000003, ${rows}) AS id,
  CAST(MOD(n, 97) AS INT) AS kind,
  CAST(MOD(n * 7919, 1000000) AS DECIMAL(15, 2)) AS amount,
  CAST(n AS DOUBLE) AS price,
  'name-' || CAST(MOD(n * 31, 100000) AS STRING) AS name,
  'city-' || CAST(MOD(n, 1000) AS STRING) AS city,
  DATE '2026-01-01' AS day_of,
  TO_TIMESTAMP_LTZ(1767225600000 + n, 3) AS at_time
FROM numbers;

CREATE TEMPORARY TABLE line_items_out WITH ('connector' = 'blackhole') LIKE generated_line_items (EXCLUDING ALL);
CREATE TEMPORARY TABLE events_out (
  id BIGINT, kind INT, amount DECIMAL(15, 2), price DOUBLE, name STRING, city STRING, day_of DATE, at_time TIMESTAMP_LTZ(3)
) WITH ('connector' = 'blackhole');
