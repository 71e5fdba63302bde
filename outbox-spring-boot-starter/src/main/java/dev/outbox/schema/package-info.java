/** The outbox's place in the database: which DataSource and schema, the migrations, the check that the tables fit. */
@NullMarked
package dev.outbox.schema;

import org.jspecify.annotations.NullMarked;
