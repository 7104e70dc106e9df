/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.store;

import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.paimon.CoreOptions;
import org.apache.paimon.operation.PartitionExpire;
import org.apache.paimon.options.ExpireConfig;
import org.apache.paimon.table.ExpireSnapshots;
import org.apache.paimon.table.FileStoreTable;
import org.apache.paimon.tag.TagAutoManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows a commit: automatic tags, expiry of tags, partitions, consumers and snapshots. Runs on one thread of its
 * own, at most one round at a time and one waiting; a round that fails is logged and tried again after the next commit.
 */
final class TableUpkeep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TableUpkeep.class);
    private static final Duration LONGEST_LAST_ROUND = Duration.ofMinutes(5);

    private final StoreTable table;
    private final @Nullable PartitionExpire partitionExpire;
    private final @Nullable TagAutoManager tags;
    private final @Nullable Duration consumerExpireTime;
    private final boolean skipped;
    private final AtomicBoolean waiting = new AtomicBoolean();
    private final ExecutorService thread;

    private TableUpkeep(
            StoreTable table,
            @Nullable PartitionExpire partitionExpire,
            @Nullable TagAutoManager tags,
            @Nullable Duration consumerExpireTime,
            boolean skipped) {
        this.table = table;
        this.partitionExpire = partitionExpire;
        this.tags = tags;
        this.consumerExpireTime = consumerExpireTime;
        this.skipped = skipped;
        ClassLoader userCode = Thread.currentThread().getContextClassLoader();
        this.thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "Upkeep of " + table.name());
            created.setDaemon(true);
            created.setContextClassLoader(userCode);
            return created;
        });
    }

    static TableUpkeep of(StoreTable table, String commitUser) {
        FileStoreTable store = table.fileStore();
        CoreOptions options = store.coreOptions();
        if (options.writeOnly()) {
            return new TableUpkeep(table, null, null, null, true);
        }
        // Partition expiry commits too. As another user, or a late round would hide the committer's newest commit.
        PartitionExpire partitionExpire = store.store().newPartitionExpire(commitUser + "-upkeep", store);
        return new TableUpkeep(
                table, partitionExpire, store.store().newTagAutoManager(store), options.consumerExpireTime(), false);
    }

    @Nullable
    PartitionExpire partitionExpire() {
        return partitionExpire;
    }

    boolean wantsEmptySnapshots() {
        return tags != null
                && tags.getTagAutoCreation() != null
                && tags.getTagAutoCreation().forceCreatingSnapshot();
    }

    /** Returns at once. Called by the committing thread. */
    void afterCommit(long checkpointId) {
        if (!skipped && waiting.compareAndSet(false, true)) {
            execute(
                    () -> {
                        waiting.set(false);
                        round(checkpointId);
                    },
                    "Expiry or an automatic tag");
        }
    }

    /**
     * Returns at once; the work runs after what is waiting already, and its failure is only logged.
     *
     * @param what the work, for messages
     */
    void execute(Runnable work, String what) {
        thread.execute(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                LOG.warn("{} failed for table {}; the commits themselves are safe", what, table, e);
            }
        });
    }

    private void round(long checkpointId) {
        tags();
        if (partitionExpire != null) {
            partitionExpire.expire(checkpointId);
        }
        FileStoreTable store = table.fileStore();
        if (consumerExpireTime != null) {
            store.consumerManager()
                    .expire(LocalDateTime.now(ZoneId.systemDefault()).minus(consumerExpireTime));
        }
        expireSnapshots(store);
    }

    private void tags() {
        if (tags == null) {
            return;
        }
        if (tags.getTagAutoCreation() != null) {
            tags.getTagAutoCreation().run();
        }
        if (tags.getTagTimeExpire() != null) {
            tags.getTagTimeExpire().expire();
        }
    }

    private static void expireSnapshots(FileStoreTable store) {
        CoreOptions options = store.coreOptions();
        ExpireConfig config = options.expireConfig();
        ExpireSnapshots snapshots = store.newExpireSnapshots().config(config);
        snapshots.expire();
        if (options.changelogLifecycleDecoupled()) {
            store.newExpireChangelog().config(config).expire();
        }
    }

    /** Waits for the rounds that are due; called by the committing thread. Another commit may follow all the same. */
    void awaitIdle() {
        try {
            thread.submit(() -> {}).get(LONGEST_LAST_ROUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            LOG.warn("Expiry of table {} goes on for more than {}; the next job carries on", table, LONGEST_LAST_ROUND);
        } catch (ExecutionException e) {
            throw new IllegalStateException("An empty task of the upkeep of table " + table + " failed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Interrupts a round in progress: a failing job restarts without waiting for it. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
