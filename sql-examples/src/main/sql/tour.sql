-- The SQL tour of the README: ./quickstart sql-examples/src/main/sql/tour.sql
CREATE CATALOG lake WITH ('type' = 'paimon', 'warehouse' = '${warehouse}');
USE CATALOG lake;
CREATE TABLE users (id BIGINT, name STRING, city STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('bucket' = '2');
CREATE TABLE clicks (user_id BIGINT, url STRING, at_time TIMESTAMP(3));

SET 'execution.runtime-mode' = 'batch';
INSERT INTO users VALUES (1, 'Ada', 'London'), (2, 'Grace', 'New York');
INSERT INTO clicks VALUES (1, '/home', TIMESTAMP '2026-01-01 10:00:00'), (2, '/docs', TIMESTAMP '2026-01-01 10:00:01');
CALL sys.create_tag('default.users', 'before_the_move');
INSERT INTO users VALUES (1, 'Ada', 'Paris');

SELECT id, name, city FROM users ORDER BY id;
SELECT id, city FROM users /*+ OPTIONS('scan.tag-name' = 'before_the_move') */ ORDER BY id;
SELECT snapshot_id, commit_kind, total_record_count FROM users$snapshots ORDER BY snapshot_id;
INSERT OVERWRITE clicks SELECT user_id, url, at_time FROM clicks WHERE url <> '/home';

-- A lookup join asks the dimension table as it is when each row passes.
SELECT c.url, u.name, u.city
FROM (SELECT *, PROCTIME() AS now_time FROM clicks) AS c
JOIN users FOR SYSTEM_TIME AS OF c.now_time AS u ON c.user_id = u.id;
