/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.SeekableInputStreamWrapper;
import org.apache.paimon.fs.local.LocalFileIO;

/** Local files, each access to which takes as long as one to an object store nearby. */
final class SlowStorage extends LocalFileIO {

    private static final long serialVersionUID = 1L;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static void take() {
        long until = System.nanoTime() + NANOS;
        for (long left = NANOS; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        take();
        return new SeekableInputStreamWrapper(super.newInputStream(path)) {
            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                take();
                return super.read(bytes, offset, length);
            }
        };
    }

    @Override
    public FileStatus getFileStatus(Path path) throws IOException {
        take();
        return super.getFileStatus(path);
    }

    @Override
    public FileStatus[] listStatus(Path path) throws IOException {
        take();
        return super.listStatus(path);
    }

    @Override
    public boolean exists(Path path) throws IOException {
        take();
        return super.exists(path);
    }
}
