--! job input-line-items connectors=sluice,official,iceberg
INSERT INTO line_items_out SELECT * FROM generated_line_items;

--! job input-events
INSERT INTO events_out SELECT * FROM events;

--! job load-append input=input-line-items connectors=sluice,official,iceberg size=growth
--! before
DROP TABLE IF EXISTS lake.bench.loaded_append;
CREATE TABLE lake.bench.loaded_append (
  l_orderkey BIGINT, l_linenumber INT, l_partkey BIGINT, l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),
  l_shipdate DATE, l_shipmode STRING, l_comment STRING
);
--! measured
INSERT INTO lake.bench.loaded_append SELECT * FROM generated_line_items;
--! check
SELECT COUNT(*), SUM(l_orderkey), SUM(l_quantity), SUM(CHAR_LENGTH(l_comment)), MAX(l_shipdate) FROM lake.bench.loaded_append;

--! job load-primary-key input=input-line-items size=growth
--! before
DROP TABLE IF EXISTS lake.bench.loaded_keyed;
CREATE TABLE lake.bench.loaded_keyed (
  l_orderkey BIGINT, l_linenumber INT, l_partkey BIGINT, l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),
  l_shipdate DATE, l_shipmode STRING, l_comment STRING, PRIMARY KEY (l_orderkey, l_linenumber) NOT ENFORCED
) WITH ('bucket' = '4');
--! measured
INSERT INTO lake.bench.loaded_keyed SELECT * FROM generated_line_items;
--! check
SELECT COUNT(*), SUM(l_orderkey), SUM(l_quantity), SUM(CHAR_LENGTH(l_comment)), MAX(l_shipdate) FROM lake.bench.loaded_keyed;

--! job load-random-keys input=input-events
--! before
DROP TABLE IF EXISTS lake.bench.loaded_events;
CREATE TABLE lake.bench.loaded_events (
  id BIGINT, kind INT, amount DECIMAL(15, 2), price DOUBLE, name STRING, city STRING, day_of DATE, at_time TIMESTAMP_LTZ(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('bucket' = '4');
--! measured
INSERT INTO lake.bench.loaded_events SELECT * FROM events;
--! check
SELECT COUNT(*), SUM(id), SUM(amount), COUNT(DISTINCT name), MAX(at_time) FROM lake.bench.loaded_events;

--! job load-partitioned input=input-line-items connectors=sluice,official,iceberg
--! before
DROP TABLE IF EXISTS lake.bench.loaded_partitioned;
CREATE TABLE lake.bench.loaded_partitioned (
  l_orderkey BIGINT, l_linenumber INT, l_partkey BIGINT, l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),
  l_shipdate DATE, l_shipmode STRING, l_comment STRING
) PARTITIONED BY (l_shipmode);
--! measured
INSERT INTO lake.bench.loaded_partitioned SELECT * FROM generated_line_items;
--! check
SELECT l_shipmode, COUNT(*), SUM(l_orderkey) FROM lake.bench.loaded_partitioned GROUP BY l_shipmode;

--! job input-upserts
SET 'execution.runtime-mode' = 'streaming';
SET 'execution.checkpointing.interval' = '1 s';
INSERT INTO events_out SELECT MOD(id, ${rows} / 4), kind, amount, price, name, city, day_of, at_time FROM events;

--! job upsert-streaming input=input-upserts size=growth
--! before
DROP TABLE IF EXISTS lake.bench.upserted;
CREATE TABLE lake.bench.upserted (
  id BIGINT, kind INT, amount DECIMAL(15, 2), price DOUBLE, name STRING, city STRING, day_of DATE, at_time TIMESTAMP_LTZ(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('bucket' = '4');
--! measured
SET 'execution.runtime-mode' = 'streaming';
SET 'execution.checkpointing.interval' = '1 s';
INSERT INTO lake.bench.upserted SELECT MOD(id, ${rows} / 4), kind, amount, price, name, city, day_of, at_time FROM events;
--! check
SELECT COUNT(*), SUM(id) FROM lake.bench.upserted;
