/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.benchmarks.jobs;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A drawing in SVG with a background of its own, so that it reads on a dark page too. Lengths are in pixels, from the upper
 * left corner.
 */
final class Chart {

    static final String INK = "#1f2937";

    static final String FAINT = "#6b7280";
    static final String GRID = "#e5e7eb";

    private static final String FONT = "-apple-system, 'Segoe UI', Helvetica, Arial, 'Liberation Sans', sans-serif";

    private final StringBuilder svg = new StringBuilder();

    /** Where a text's point is: at its start, middle or end. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    record Point(double x, double y) {}

    /** @param title also for those who do not see it */
    Chart(int width, int height, String title) {
        svg.append(format("""
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img" font-family="%s">
                <title>%s</title>
                <rect x="0.5" y="0.5" width="%d" height="%d" rx="8" fill="#ffffff" stroke="#d1d5db"/>
                """, width, height, width, height, FONT, escape(title), width - 1, height - 1));
    }

    void heading(double x, double y, String text) {
        svg.append(format(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"16\" font-weight=\"600\" fill=\"%s\">%s</text>%n",
                x, y, INK, escape(text)));
    }

    void text(Point at, Anchor anchor, String color, String text) {
        svg.append(format(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                at.x(), at.y(), anchor.name().toLowerCase(Locale.ROOT), color, escape(text)));
    }

    void strong(Point at, Anchor anchor, String text) {
        svg.append(format(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" font-weight=\"600\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                at.x(), at.y(), anchor.name().toLowerCase(Locale.ROOT), INK, escape(text)));
    }

    void line(Point from, Point to, String color, double width) {
        svg.append(format(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>%n",
                from.x(), from.y(), to.x(), to.y(), color, width));
    }

    void box(Point corner, double width, double height, String color) {
        svg.append(format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"1.5\" fill=\"%s\"/>%n",
                corner.x(), corner.y(), width, height, color));
    }

    /** A line through all points, with a dot on each. */
    void curve(List<Point> points, String color) {
        svg.append(format(
                "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>%n",
                color,
                points.stream()
                        .map(point -> format("%.1f,%.1f", point.x(), point.y()))
                        .collect(Collectors.joining(" "))));
        points.forEach(point -> svg.append(
                format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>%n", point.x(), point.y(), color)));
    }

    /** The whole drawing so far, as a file's text. */
    String svg() {
        return svg + "</svg>\n";
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values).replace("\r\n", "\n");
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
