/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;

/** Local files, of which as many reads fail as it is told, the next ones. */
final class FailingStorage extends LocalFileIO {

    private static final long serialVersionUID = 1L;

    private final Failures ofManifests = new Failures();
    private final Failures ofData = new Failures();
    private final Queue<String> dataRead = new ConcurrentLinkedQueue<>();

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private static final List<FailingStorage> ALL = new CopyOnWriteArrayList<>();

    FailingStorage() {
        ALL.add(this);
    }

    /** Where a table is sent to, it is on the same storage. */
    private record Reference(int number) implements Serializable {
        private Object readResolve() {
            return ALL.get(number);
        }
    }

    private Object writeReplace() {
        return new Reference(ALL.indexOf(this));
    }

    private static final class Failures {
        private final AtomicInteger ahead = new AtomicInteger();
        private final AtomicInteger met = new AtomicInteger();

        void mayFail(Path path) throws IOException {
            if (ahead.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                met.incrementAndGet();
                throw new IOException("storage does not give " + path.getName());
            }
        }
    }

    /** On top of failures that nobody has met yet. */
    void fail(int readsOfManifests, int readsOfData) {
        ofManifests.ahead.addAndGet(readsOfManifests);
        ofData.ahead.addAndGet(readsOfData);
    }

    int failedManifests() {
        return ofManifests.met.get();
    }

    int failedData() {
        return ofData.met.get();
    }

    /** Paths of the data files that were opened since the last call. */
    Set<String> filesRead() {
        Set<String> files = new HashSet<>();
        for (String file = dataRead.poll(); file != null; file = dataRead.poll()) {
            files.add(file);
        }
        return files;
    }

    /** Whoever opens a data file waits from now on, until {@link #letGo}. */
    void hold() {
        gate = new CountDownLatch(1);
    }

    void letGo() {
        gate.countDown();
    }

    /** How many wait now. */
    int waiting() {
        return waiting.get();
    }

    private void passGate() throws IOException {
        waiting.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while storage keeps readers waiting", e);
        } finally {
            waiting.decrementAndGet();
        }
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        if (path.getName().startsWith("manifest")) {
            ofManifests.mayFail(path);
        } else if (path.getName().startsWith("data-")) {
            ofData.mayFail(path);
            dataRead.add(path.toString());
            passGate();
        }
        return super.newInputStream(path);
    }
}
