package dev.outbox.soak;

import java.util.List;
import java.util.Set;

/**
 * What the judge is shown.
 *
 * @param written what the writers know to have committed
 * @param business numbers of the transactions whose business is in the database
 * @param rows what the outbox has
 * @param delivered what a consumer got, each partition in its order
 */
record Evidence(List<Written> written, Set<Long> business, List<Row> rows, List<Delivered> delivered) {}
