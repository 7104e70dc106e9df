-- A streaming read of a table that is committed to meanwhile, see CommitToRow.
--! tables connectors=sluice,official
CREATE TEMPORARY TABLE arrived (n BIGINT) WITH ('connector' = 'arrivals');

--! job commit-to-row follows=ticks size=fixed
--! before
DROP TABLE IF EXISTS lake.bench.ticks;
CREATE TABLE lake.bench.ticks (n BIGINT, text STRING);
--! measured
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO arrived SELECT n FROM lake.bench.ticks;

--! job commit-to-row-changelog follows=keyed_ticks size=fixed
--! before
DROP TABLE IF EXISTS lake.bench.keyed_ticks;
CREATE TABLE lake.bench.keyed_ticks (n BIGINT, text STRING, PRIMARY KEY (n) NOT ENFORCED)
WITH ('bucket' = '1', 'changelog-producer' = 'input');
--! measured
SET 'execution.runtime-mode' = 'streaming';
INSERT INTO arrived SELECT n FROM lake.bench.keyed_ticks;
