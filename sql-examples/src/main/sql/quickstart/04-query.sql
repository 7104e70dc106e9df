-- Batch queries over what the streams wrote.

SET 'execution.runtime-mode' = 'batch';

SELECT
  c_mktsegment AS segment,
  COUNT(*) AS items,
  SUM(l_extendedprice * (1 - l_discount)) AS revenue
FROM line_items
GROUP BY c_mktsegment
ORDER BY revenue DESC;

INSERT INTO segment_revenue
SELECT
  CAST(LOCALTIMESTAMP AS TIMESTAMP(3)), c_mktsegment, CAST(EXTRACT(YEAR FROM o_orderdate) AS INT), COUNT(*),
  SUM(l_extendedprice * (1 - l_discount))
FROM line_items
GROUP BY c_mktsegment, EXTRACT(YEAR FROM o_orderdate);

SELECT order_year, items, revenue FROM segment_revenue
WHERE segment = 'BUILDING'
ORDER BY computed_at DESC, order_year
LIMIT 7;

-- How the orders came: one snapshot for each checkpoint.
SELECT snapshot_id, commit_kind, commit_time, total_record_count
FROM orders$snapshots
ORDER BY snapshot_id;

-- Time travel: the orders as the first checkpoint left them, and as they are now.
SELECT 'first snapshot' AS orders_at, COUNT(*) AS orders, MAX(o_orderdate) AS latest_order
FROM orders /*+ OPTIONS('scan.snapshot-id' = '1') */
UNION ALL
SELECT 'now', COUNT(*), MAX(o_orderdate)
FROM orders;
