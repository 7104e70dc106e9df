/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.paimon.fs.FileStatus;
import org.apache.paimon.fs.Path;
import org.apache.paimon.fs.SeekableInputStream;
import org.apache.paimon.fs.local.LocalFileIO;

/**
 * Local files as an object store nearby would serve them: each call takes two milliseconds. As its clients do, a stream
 * fetches a block for short reads, so that reading on within a block is no access.
 */
final class SlowStorage extends LocalFileIO {

    private static final long serialVersionUID = 1L;
    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int BLOCK_BYTES = 1 << 16;

    private static void take() {
        long until = System.nanoTime() + NANOS;
        for (long left = NANOS; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public SeekableInputStream newInputStream(Path path) throws IOException {
        take();
        return new Blocks(super.newInputStream(path));
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

    private static final class Blocks extends SeekableInputStream {

        private final SeekableInputStream in;
        private final byte[] block = new byte[BLOCK_BYTES];
        private int length;
        private int position;

        private Blocks(SeekableInputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] bytes, int offset, int most) throws IOException {
            if (most >= BLOCK_BYTES && position == length) {
                take();
                return in.read(bytes, offset, most);
            }
            if (position == length && !fetch()) {
                return -1;
            }
            int count = Math.min(most, length - position);
            System.arraycopy(block, position, bytes, offset, count);
            position += count;
            return count;
        }

        @Override
        public int read() throws IOException {
            return position == length && !fetch() ? -1 : block[position++] & 0xFF;
        }

        private boolean fetch() throws IOException {
            take();
            position = 0;
            length = Math.max(0, in.read(block, 0, BLOCK_BYTES));
            return length > 0;
        }

        @Override
        public long getPos() throws IOException {
            return in.getPos() - length + position;
        }

        @Override
        public void seek(long to) throws IOException {
            if (to != getPos()) {
                in.seek(to);
                position = 0;
                length = 0;
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
