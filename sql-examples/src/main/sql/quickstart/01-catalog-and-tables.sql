-- A Paimon catalog on a folder, and tables with primary keys.

CREATE CATALOG sluice WITH (
  'type' = 'paimon',
  'warehouse' = '${warehouse}'
);

CREATE DATABASE IF NOT EXISTS sluice.tpch;

USE CATALOG sluice;

USE tpch;

CREATE TABLE IF NOT EXISTS customers (
  c_custkey    BIGINT NOT NULL,
  c_name       VARCHAR(25),
  c_nationkey  BIGINT,
  c_phone      CHAR(15),
  c_acctbal    DECIMAL(15, 2),
  c_mktsegment VARCHAR(10),
  PRIMARY KEY (c_custkey) NOT ENFORCED
) WITH (
  'bucket' = '1'
);

CREATE TABLE IF NOT EXISTS orders (
  o_orderkey      BIGINT NOT NULL,
  o_custkey       BIGINT,
  o_orderstatus   CHAR(1),
  o_totalprice    DECIMAL(15, 2),
  o_orderdate     DATE,
  o_orderpriority VARCHAR(15),
  o_clerk         CHAR(15),
  o_shippriority  INT,
  o_comment       VARCHAR(79),
  PRIMARY KEY (o_orderkey) NOT ENFORCED
) WITH (
  'bucket' = '2',
  -- The first snapshot is looked at again in 04-query.sql.
  'snapshot.time-retained' = '30 d'
);

CREATE TABLE IF NOT EXISTS line_items (
  l_orderkey      BIGINT NOT NULL,
  l_linenumber    INT NOT NULL,
  l_quantity      DECIMAL(15, 2),
  l_extendedprice DECIMAL(15, 2),
  l_discount      DECIMAL(15, 2),
  l_shipdate      DATE,
  l_shipmode      VARCHAR(10),
  o_orderdate     DATE,
  o_orderpriority VARCHAR(15),
  c_custkey       BIGINT,
  c_name          VARCHAR(25),
  c_mktsegment    VARCHAR(10),
  PRIMARY KEY (l_orderkey, l_linenumber) NOT ENFORCED
) WITH (
  'bucket' = '2'
);

-- Without a primary key: an append table.
CREATE TABLE IF NOT EXISTS segment_revenue (
  computed_at TIMESTAMP(3),
  segment     VARCHAR(10),
  order_year  INT,
  items       BIGINT,
  revenue     DECIMAL(38, 4)
);

SHOW TABLES;
