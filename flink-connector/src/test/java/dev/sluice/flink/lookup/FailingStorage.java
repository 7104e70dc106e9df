/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;

/** Local files, some accesses to which fail once told so. */
final class FailingStorage extends LocalFileIO {

    private static final long serialVersionUID = 1L;

    private final Random random = new Random(11);
    private final AtomicLong failures = new AtomicLong();
    private volatile int percent;

    void failFromNowOn(int ofHundred) {
        percent = ofHundred;
    }

    long failures() {
        return failures.get();
    }

    private void mayFail(Path path) throws IOException {
        int chance = percent;
        if (chance == 0) {
            return;
        }
        boolean fails;
        synchronized (random) {
            fails = random.nextInt(100) < chance;
        }
        if (fails) {
            failures.incrementAndGet();
            throw new IOException("storage does not give " + path.getName());
        }
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        mayFail(path);
        return super.newInputStream(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        mayFail(path);
        return super.listStatus(path);
    }
}
