-- The table that all lookups ask; streams of keys that ask it.
--! tables
CREATE TABLE IF NOT EXISTS lake.bench.customers (
  id BIGINT, kind INT, amount DECIMAL(15, 2), price DOUBLE, name STRING, city STRING, day_of DATE, at_time TIMESTAMP_LTZ(3),
  PRIMARY KEY (id) NOT ENFORCED
) WITH ('bucket' = '4');
INSERT INTO lake.bench.customers SELECT * FROM events;
CREATE TEMPORARY TABLE joined_out (id BIGINT, name STRING, city STRING) WITH ('connector' = 'blackhole');
CREATE TEMPORARY VIEW uniform_probes AS SELECT MOD(n * 15485863, ${rows}) AS id, PROCTIME() AS at_time FROM numbers;
-- Nine in ten ask for a thousand keys.
CREATE TEMPORARY VIEW hot_probes AS SELECT
  CASE WHEN MOD(n, 10) < 9 THEN MOD(n, 1000) * (${rows} / 1000) ELSE MOD(n * 15485863, ${rows}) END AS id,
  PROCTIME() AS at_time FROM numbers;
-- Half of them ask for keys that are not there.
CREATE TEMPORARY VIEW missing_probes AS SELECT
  MOD(n * 15485863, ${rows}) + MOD(n, 2) * ${rows} AS id, PROCTIME() AS at_time FROM numbers;

--! job input-probes
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO joined_out SELECT id, '', '' FROM uniform_probes;

--! job lookup-uniform input=input-probes check=once size=growth
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO joined_out SELECT p.id, c.name, c.city FROM uniform_probes AS p
JOIN lake.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;
--! check
SELECT COUNT(*), COUNT(c.name), SUM(c.id), SUM(CHAR_LENGTH(c.name)), MAX(c.city) FROM uniform_probes AS p
JOIN lake.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;

--! job lookup-hot input=input-probes check=once
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO joined_out SELECT p.id, c.name, c.city FROM hot_probes AS p
JOIN lake.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;
--! check
SELECT COUNT(*), COUNT(c.name), SUM(c.id), SUM(CHAR_LENGTH(c.name)), MAX(c.city) FROM hot_probes AS p
JOIN lake.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;

--! job lookup-half-missing input=input-probes check=once
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO joined_out SELECT p.id, c.name, c.city FROM missing_probes AS p
LEFT JOIN lake.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;
--! check
SELECT COUNT(*), COUNT(c.name), SUM(c.id), SUM(CHAR_LENGTH(c.name)), MAX(c.city) FROM missing_probes AS p
LEFT JOIN lake.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;

--! job lookup-async input=input-probes check=once
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO joined_out SELECT p.id, c.name, c.city FROM uniform_probes AS p
JOIN lake.bench.customers /*+ OPTIONS('lookup.async' = 'true', 'lookup.async-thread-number' = '16') */
FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;
--! check
SELECT COUNT(*), COUNT(c.name), SUM(c.id), SUM(CHAR_LENGTH(c.name)), MAX(c.city) FROM uniform_probes AS p
JOIN lake.bench.customers /*+ OPTIONS('lookup.async' = 'true', 'lookup.async-thread-number' = '16') */
FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;

-- The same table where each access takes two milliseconds, see SlowStorage.
--! job lookup-slow-storage input=input-probes check=once
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO joined_out SELECT p.id, c.name, c.city FROM uniform_probes AS p
JOIN slow.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;
--! check
SELECT COUNT(*), COUNT(c.name), SUM(c.id), SUM(CHAR_LENGTH(c.name)), MAX(c.city) FROM uniform_probes AS p
JOIN slow.bench.customers FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;

--! job lookup-slow-storage-async input=input-probes check=once
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO joined_out SELECT p.id, c.name, c.city FROM uniform_probes AS p
JOIN slow.bench.customers /*+ OPTIONS('lookup.async' = 'true', 'lookup.async-thread-number' = '16') */
FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;
--! check
SELECT COUNT(*), COUNT(c.name), SUM(c.id), SUM(CHAR_LENGTH(c.name)), MAX(c.city) FROM uniform_probes AS p
JOIN slow.bench.customers /*+ OPTIONS('lookup.async' = 'true', 'lookup.async-thread-number' = '16') */
FOR SYSTEM_TIME AS OF p.at_time AS c ON p.id = c.id;
