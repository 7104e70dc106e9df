/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink.table;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.factories.DynamicTableFactory;

/**
 * {@code t FOR SYSTEM_TIME AS OF <time> AS alias}: for a table with an alias and no hint, Flink 2.0 to 2.3 asks the
 * catalog for the columns of that time and then scans the table of the present. Nothing that a connector is handed
 * tells, so this looks at who asks. A planner that names its methods otherwise is let through.
 *
 * <p>The planner may put a scan of the present in the place of one whose time was lost, since it takes the two for one.
 * So the tables of a statement that lost a time are kept until the same thread begins with the next statement.
 */
public final class LostTime {

    private static final String CONVERTER = "SqlToRelConverter";
    private static final String TEMPORAL = "convertTemporalTable";
    private static final String VIEW = "expandView";
    private static final ThreadLocal<Statement> STATEMENT = ThreadLocal.withInitial(Statement::new);

    /** What one thread plans; validated first and then converted, which is how the next one is told. */
    private static final class Statement {
        private final Set<ObjectIdentifier> timed = new HashSet<>();
        private final Set<ObjectIdentifier> lost = new HashSet<>();
        private boolean converted;
    }

    private LostTime() {}

    /** The planner looks a table up. */
    public static void lookedUp(ObjectIdentifier table, boolean atATime) {
        boolean converts = anyFrame(CONVERTER);
        if (!converts && STATEMENT.get().converted) {
            STATEMENT.remove();
        }
        Statement statement = STATEMENT.get();
        statement.converted |= converts;
        if (atATime) {
            statement.timed.add(table);
        }
    }

    /**
     * Whether the reference that is being planned stands under FOR SYSTEM_TIME AS OF and would be wrong as a scan. A
     * lookup join stands there too and scans nothing; a join by event time scans a table with a watermark.
     */
    static boolean in(DynamicTableFactory.Context context) {
        ObjectIdentifier table = context.getObjectIdentifier();
        boolean past = TimedName.parse(table.toObjectPath()).isPresent();
        boolean versioned = PaimonTableFactory.streaming(context.getConfiguration())
                && !context.getCatalogTable()
                        .getResolvedSchema()
                        .getWatermarkSpecs()
                        .isEmpty();
        if (past || versioned || !underTime()) {
            return false;
        }
        Statement statement = STATEMENT.get();
        if (statement.timed.contains(table)) {
            statement.lost.add(table);
        }
        return true;
    }

    /** Whether a scan of the table may stand for one whose time was lost. */
    static boolean in(ObjectIdentifier table) {
        return STATEMENT.get().lost.contains(table);
    }

    /** The nearest of the two counts: what a view selects from has no time of its own. */
    private static boolean underTime() {
        Optional<String> nearest = StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> isTemporal(frame) || isView(frame))
                        .map(StackWalker.StackFrame::getMethodName)
                        .findFirst());
        return nearest.filter(TEMPORAL::equals).isPresent();
    }

    private static boolean isTemporal(StackWalker.StackFrame frame) {
        return frame.getClassName().endsWith(CONVERTER) && frame.getMethodName().equals(TEMPORAL);
    }

    private static boolean isView(StackWalker.StackFrame frame) {
        return frame.getMethodName().equals(VIEW);
    }

    private static boolean anyFrame(String className) {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith(className)));
    }
}
