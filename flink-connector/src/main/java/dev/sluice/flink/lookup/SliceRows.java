/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.Arrays;

/**
 * The addresses of a slice's rows, in a byte or two each: mostly one row lies right behind the other, so what is kept is
 * how far it is from the one before. Used by one thread.
 */
final class SliceRows {

    private static final int LONGEST = 5;
    private static final int PAYLOAD_BITS = 7;
    private static final int MORE = 1 << PAYLOAD_BITS;

    private byte[] bytes = new byte[16];
    private int end;
    private int size;
    private int last;

    /** @return how many bytes of memory that took */
    int add(int address) {
        int grown = 0;
        if (bytes.length - end < LONGEST) {
            grown = Math.max(LONGEST, bytes.length >> 1);
            bytes = Arrays.copyOf(bytes, bytes.length + grown);
        }
        int step = address - last;
        // Steps back become odd numbers, so that short ones are short too.
        int rest = (step << 1) ^ (step >> 31);
        while ((rest & -MORE) != 0) {
            bytes[end++] = (byte) (rest | MORE);
            rest >>>= PAYLOAD_BITS;
        }
        bytes[end++] = (byte) rest;
        last = address;
        size++;
        return grown;
    }

    int size() {
        return size;
    }

    long bytes() {
        return bytes.length;
    }

    /** From the first to the last; nothing may be added meanwhile. */
    Cursor cursor() {
        return new Cursor();
    }

    final class Cursor {

        private int position;
        private int address;

        boolean hasNext() {
            return position < end;
        }

        int next() {
            int step = 0;
            int shift = 0;
            int read;
            do {
                read = bytes[position++];
                step |= (read & (MORE - 1)) << shift;
                shift += PAYLOAD_BITS;
            } while (read < 0);
            address += (step >>> 1) ^ -(step & 1);
            return address;
        }
    }
}
