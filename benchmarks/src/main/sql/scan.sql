-- The tables of all scans.
--! tables
CREATE TABLE IF NOT EXISTS lake.bench.line_items (
  l_orderkey BIGINT, l_linenumber INT, l_partkey BIGINT, l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),
  l_shipdate DATE, l_shipmode STRING, l_comment STRING
);
INSERT INTO lake.bench.line_items SELECT * FROM generated_line_items;
--! tables connectors=sluice,official
CREATE TABLE IF NOT EXISTS lake.bench.keyed (
  id BIGINT, kind INT, amount DECIMAL(15, 2), price DOUBLE, name STRING, city STRING, day_of DATE, at_time TIMESTAMP_LTZ(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('bucket' = '4');
INSERT INTO lake.bench.keyed SELECT * FROM events;
-- Commits over each other and no compaction: the scan has to merge.
CREATE TABLE IF NOT EXISTS lake.bench.unmerged (
  id BIGINT, kind INT, amount DECIMAL(15, 2), price DOUBLE, name STRING, city STRING, day_of DATE, at_time TIMESTAMP_LTZ(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('bucket' = '4', 'write-only' = 'true', 'write-buffer-size' = '4 mb');
INSERT INTO lake.bench.unmerged SELECT * FROM events;
INSERT INTO lake.bench.unmerged SELECT * FROM events WHERE MOD(id, 2) = 0;
INSERT INTO lake.bench.unmerged SELECT * FROM events WHERE MOD(id, 3) = 0;
INSERT INTO lake.bench.unmerged SELECT * FROM events WHERE MOD(id, 5) = 0;

-- Every value of every row is looked at, as a job that does something with them would.
--! job scan-append connectors=sluice,official,iceberg size=growth
SELECT COUNT(*), SUM(l_orderkey), SUM(l_linenumber), SUM(l_partkey), SUM(l_quantity), SUM(l_extendedprice),
  MAX(l_shipdate), MAX(l_shipmode), SUM(CHAR_LENGTH(l_comment)) FROM lake.bench.line_items;

-- The rows go to another table.
--! job copy-append connectors=sluice,official,iceberg
--! before
DROP TABLE IF EXISTS lake.bench.line_items_copy;
CREATE TABLE lake.bench.line_items_copy (
  l_orderkey BIGINT, l_linenumber INT, l_partkey BIGINT, l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),
  l_shipdate DATE, l_shipmode STRING, l_comment STRING
);
--! measured
INSERT INTO lake.bench.line_items_copy SELECT * FROM lake.bench.line_items;
--! check
SELECT COUNT(*), SUM(l_orderkey), SUM(CHAR_LENGTH(l_comment)) FROM lake.bench.line_items_copy;

--! job scan-two-columns connectors=sluice,official,iceberg
SELECT SUM(l_orderkey), MAX(l_shipmode) FROM lake.bench.line_items;

--! job scan-primary-key size=growth
SELECT COUNT(*), SUM(id), SUM(kind), SUM(amount), SUM(price), SUM(CHAR_LENGTH(name)), MAX(city), MAX(day_of),
  MAX(at_time) FROM lake.bench.keyed;

--! job scan-merge-on-read size=growth
SELECT COUNT(*), SUM(id), SUM(kind), SUM(amount), SUM(price), SUM(CHAR_LENGTH(name)), MAX(city), MAX(day_of),
  MAX(at_time) FROM lake.bench.unmerged;

--! job scan-key-range
SELECT id, name, amount FROM lake.bench.keyed WHERE id BETWEEN 1000 AND 1999;

--! job scan-count connectors=sluice,official,iceberg
SELECT COUNT(*) FROM lake.bench.line_items;

--! job scan-min-max connectors=sluice,official,iceberg
SELECT MIN(l_orderkey), MAX(l_orderkey) FROM lake.bench.line_items;

--! job scan-limit connectors=sluice,official,iceberg
SELECT l_linenumber / l_linenumber FROM lake.bench.line_items LIMIT 10;

--! job scan-top-n connectors=sluice,official,iceberg
SELECT l_orderkey, l_linenumber FROM lake.bench.line_items ORDER BY l_orderkey DESC, l_linenumber LIMIT 10;
