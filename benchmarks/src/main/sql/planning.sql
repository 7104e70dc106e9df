-- What a job takes before it has anything to do: its start, and planning over 5,000 partitions.
--! tables connectors=sluice,official
CREATE TEMPORARY TABLE few_numbers (n BIGINT) WITH ('connector' = 'numbers', 'rows' = '20000');
CREATE TEMPORARY TABLE few_out (n BIGINT, text STRING, part INT) WITH ('connector' = 'blackhole');
-- Four rows in each partition, in five commits. The same files for all.
--! tables connectors=sluice,official shared=true
CREATE TABLE shared.bench.one_row (n BIGINT, text STRING, part INT);
INSERT INTO shared.bench.one_row VALUES (1, 'row 1', 1);
CREATE TABLE shared.bench.partitions (n BIGINT, text STRING, part INT) PARTITIONED BY (part);
INSERT INTO shared.bench.partitions SELECT n, 'row ' || CAST(n AS STRING), CAST(MOD(n, 5000) AS INT) FROM few_numbers
  WHERE MOD(n, 5000) < 1000;
INSERT INTO shared.bench.partitions SELECT n, 'row ' || CAST(n AS STRING), CAST(MOD(n, 5000) AS INT) FROM few_numbers
  WHERE MOD(n, 5000) >= 1000 AND MOD(n, 5000) < 2000;
INSERT INTO shared.bench.partitions SELECT n, 'row ' || CAST(n AS STRING), CAST(MOD(n, 5000) AS INT) FROM few_numbers
  WHERE MOD(n, 5000) >= 2000 AND MOD(n, 5000) < 3000;
INSERT INTO shared.bench.partitions SELECT n, 'row ' || CAST(n AS STRING), CAST(MOD(n, 5000) AS INT) FROM few_numbers
  WHERE MOD(n, 5000) >= 3000 AND MOD(n, 5000) < 4000;
INSERT INTO shared.bench.partitions SELECT n, 'row ' || CAST(n AS STRING), CAST(MOD(n, 5000) AS INT) FROM few_numbers
  WHERE MOD(n, 5000) >= 4000;

--! job start-read size=fixed check=once
INSERT INTO few_out SELECT * FROM shared.bench.one_row;
--! check
SELECT * FROM shared.bench.one_row;

--! job start-write size=fixed
--! before
DROP TABLE IF EXISTS lake.bench.written;
CREATE TABLE lake.bench.written (n BIGINT, text STRING, part INT);
--! measured
INSERT INTO lake.bench.written VALUES (1, 'row 1', 1);
--! check
SELECT * FROM lake.bench.written;

--! job plan-explain size=fixed check=once
EXPLAIN SELECT * FROM shared.bench.partitions WHERE part = 1234;
--! check
SELECT * FROM shared.bench.partitions WHERE part = 1234;

--! job plan-one-partition size=fixed check=once
INSERT INTO few_out SELECT * FROM shared.bench.partitions WHERE part = 1234;
--! check
SELECT * FROM shared.bench.partitions WHERE part = 1234;

--! job plan-fifty-partitions size=fixed check=once
INSERT INTO few_out SELECT * FROM shared.bench.partitions WHERE part BETWEEN 1000 AND 1049;
--! check
SELECT COUNT(*), SUM(n), SUM(part) FROM shared.bench.partitions WHERE part BETWEEN 1000 AND 1049;

--! job plan-all-partitions size=fixed check=once
INSERT INTO few_out SELECT * FROM shared.bench.partitions;
--! check
SELECT COUNT(*), SUM(n), SUM(part), SUM(CHAR_LENGTH(text)) FROM shared.bench.partitions;
