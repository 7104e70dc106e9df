/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.lookup;

import java.util.Map;

/** The same with no memory for rows, so that primary keys are found in local copies of files. */
final class LookupFunctionInFilesTest extends LookupFunctionTest {

    @Override
    Map<String, String> hints() {
        return Map.of("lookup.cache-max-memory-size", "1 kb");
    }
}
