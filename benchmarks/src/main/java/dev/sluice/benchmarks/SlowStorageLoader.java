/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks;

import org.apache.paimon.fs.FileIO;
import org.apache.paimon.fs.FileIOLoader;
import org.apache.paimon.fs.Path;

/** Paths of local files that start with {@code slow:} are on {@link SlowStorage}, for each connector of Paimon. */
public final class SlowStorageLoader implements FileIOLoader {

    private static final long serialVersionUID = 1L;

    @Override
    public String getScheme() {
        return "slow";
    }

    @Override
    public FileIO load(Path path) {
        return new SlowStorage();
    }
}
