/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.flink;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a logger says while this is open. */
public final class LogLines implements AutoCloseable {

    private final Logger logger;
    private final Collector collector = new Collector();

    public LogLines(String logger) {
        this.logger = (Logger) LogManager.getLogger(logger);
        collector.start();
        this.logger.addAppender(collector);
    }

    public List<String> of(Level level) {
        return collector.events.stream()
                .filter(event -> event.getLevel().equals(level))
                .map(event -> event.getMessage().getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        logger.removeAppender(collector);
        collector.stop();
    }

    private static final class Collector extends AbstractAppender {

        private final List<LogEvent> events = new CopyOnWriteArrayList<>();

        private Collector() {
            super("collector", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            events.add(event.toImmutable());
        }
    }
}
