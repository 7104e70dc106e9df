/* SPDX-License-Identifier: Apache-2.0 */
package dev.sluice.examples.tpch;

import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.TpchEntity;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.VarCharType;

/** The TPC-H tables served, with the columns of the TPC-H specification. */
enum TpchTables {
    CUSTOMER(CustomerGenerator.SCALE_BASE) {
        @Override
        Iterator<? extends TpchEntity> rows(double scale, int part, int parts) {
            return new CustomerGenerator(scale, part, parts).iterator();
        }

        @Override
        void describe(Columns columns) {
            columns.<Customer>bigint("c_custkey", Customer::getCustomerKey)
                    .<Customer>varchar("c_name", 25, Customer::getName)
                    .<Customer>varchar("c_address", 40, Customer::getAddress)
                    .<Customer>bigint("c_nationkey", Customer::getNationKey)
                    .<Customer>fixedChar("c_phone", 15, Customer::getPhone)
                    .<Customer>hundredths("c_acctbal", Customer::getAccountBalanceInCents)
                    .<Customer>varchar("c_mktsegment", 10, Customer::getMarketSegment)
                    .<Customer>varchar("c_comment", 117, Customer::getComment);
        }
    },
    ORDERS(OrderGenerator.SCALE_BASE) {
        @Override
        Iterator<? extends TpchEntity> rows(double scale, int part, int parts) {
            return new OrderGenerator(scale, part, parts).iterator();
        }

        @Override
        void describe(Columns columns) {
            columns.<Order>bigint("o_orderkey", Order::getOrderKey)
                    .<Order>bigint("o_custkey", Order::getCustomerKey)
                    .<Order>fixedChar("o_orderstatus", 1, o -> String.valueOf(o.getOrderStatus()))
                    .<Order>hundredths("o_totalprice", Order::getTotalPriceInCents)
                    .<Order>date("o_orderdate", Order::getOrderDate)
                    .<Order>varchar("o_orderpriority", 15, Order::getOrderPriority)
                    .<Order>fixedChar("o_clerk", 15, Order::getClerk)
                    .<Order>integer("o_shippriority", Order::getShipPriority)
                    .<Order>varchar("o_comment", 79, Order::getComment);
        }
    },
    /** Its rows follow the orders, one to seven of them for each. */
    LINEITEM(OrderGenerator.SCALE_BASE) {
        @Override
        Iterator<? extends TpchEntity> rows(double scale, int part, int parts) {
            return new LineItemGenerator(scale, part, parts).iterator();
        }

        @Override
        void describe(Columns columns) {
            columns.<LineItem>bigint("l_orderkey", LineItem::getOrderKey)
                    .<LineItem>bigint("l_partkey", LineItem::getPartKey)
                    .<LineItem>bigint("l_suppkey", LineItem::getSupplierKey)
                    .<LineItem>integer("l_linenumber", LineItem::getLineNumber)
                    .<LineItem>hundredths("l_quantity", l -> l.getQuantity() * 100)
                    .<LineItem>hundredths("l_extendedprice", LineItem::getExtendedPriceInCents)
                    .<LineItem>hundredths("l_discount", LineItem::getDiscountPercent)
                    .<LineItem>hundredths("l_tax", LineItem::getTaxPercent)
                    .<LineItem>fixedChar("l_returnflag", 1, LineItem::getReturnFlag)
                    .<LineItem>fixedChar("l_linestatus", 1, LineItem::getStatus)
                    .<LineItem>date("l_shipdate", LineItem::getShipDate)
                    .<LineItem>date("l_commitdate", LineItem::getCommitDate)
                    .<LineItem>date("l_receiptdate", LineItem::getReceiptDate)
                    .<LineItem>varchar("l_shipinstruct", 25, LineItem::getShipInstructions)
                    .<LineItem>varchar("l_shipmode", 10, LineItem::getShipMode)
                    .<LineItem>varchar("l_comment", 44, LineItem::getComment);
        }
    };

    /** Rows of the table that is split into parts (orders, for line items) at scale factor 1. */
    private final int scaleBase;

    TpchTables(int scaleBase) {
        this.scaleBase = scaleBase;
    }

    abstract Iterator<? extends TpchEntity> rows(double scale, int part, int parts);

    abstract void describe(Columns columns);

    /** Made anew at each call; for planning and opening only. */
    List<Column> columns() {
        Columns described = new Columns();
        describe(described);
        return List.copyOf(described.list);
    }

    /** A part needs at least one row; more parts than that only cost. */
    int parts(double scale, int wanted) {
        return Math.max(1, (int) Math.min(wanted, scaleBase * scale));
    }

    String tpchName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A column: its type and how to get Flink's internal value of it from a generated row. */
    record Column(String name, LogicalType type, Function<TpchEntity, Object> value) {}

    /** Collects columns; the row type is given by the table that adds them, so the cast cannot fail. */
    static final class Columns {
        private final List<Column> list = new ArrayList<>();

        @SuppressWarnings("unchecked")
        private <E extends TpchEntity> Columns add(String name, LogicalType type, Function<E, Object> value) {
            list.add(new Column(name, type.copy(false), entity -> value.apply((E) entity)));
            return this;
        }

        <E extends TpchEntity> Columns bigint(String name, Function<E, Long> value) {
            return this.<E>add(name, new BigIntType(), value::apply);
        }

        <E extends TpchEntity> Columns integer(String name, Function<E, Integer> value) {
            return this.<E>add(name, new IntType(), value::apply);
        }

        /** Days since 1970-01-01, as the generator and Flink both count them. */
        <E extends TpchEntity> Columns date(String name, Function<E, Integer> value) {
            return this.<E>add(name, new DateType(), value::apply);
        }

        <E extends TpchEntity> Columns hundredths(String name, Function<E, Long> value) {
            return this.<E>add(name, new DecimalType(15, 2), e -> DecimalData.fromUnscaledLong(value.apply(e), 15, 2));
        }

        /** Only for values that always fill the length: neither the generator nor Flink pads. */
        <E extends TpchEntity> Columns fixedChar(String name, int length, Function<E, String> value) {
            return this.<E>add(name, new CharType(length), e -> StringData.fromString(value.apply(e)));
        }

        <E extends TpchEntity> Columns varchar(String name, int length, Function<E, String> value) {
            return this.<E>add(name, new VarCharType(length), e -> StringData.fromString(value.apply(e)));
        }
    }
}
