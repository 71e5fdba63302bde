package dev.outbox.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The end of a run: a table, and where something is wrong, all that is needed to look into it. */
final class Report {

    private static final int SHOWN = 10;

    private final SoakOptions options;
    private final Ledger ledger;
    private final List<Fault> happened;
    private final Relays relays;
    private final Journal journal;

    Report(SoakOptions options, Ledger ledger, List<Fault> happened, Relays relays, Journal journal) {
        this.options = options;
        this.ledger = ledger;
        this.happened = happened;
        this.relays = relays;
        this.journal = journal;
    }

    void print(Evidence evidence, Verdict verdict, Duration drain, long repeatsAllowed) {
        journal.text("");
        line("seed", options.seed());
        line("minutes", options.duration().toSeconds() / 60.0);
        line("writers / relays", options.writers() + " / " + options.relays());
        line("messages committed", evidence.rows().size());
        line("", ledger.summary());
        line("records on Kafka", evidence.delivered().size());
        line("messages arrived", verdict.distinct());
        line("poison messages", verdict.poison() + ", of which dead " + verdict.dead());
        line("held behind them", verdict.heldBehindPoison());
        line(
                "repeats",
                "%,d, allowed %,d, of one message %d"
                        .formatted(verdict.repeats(), repeatsAllowed, verdict.mostRepeats()));
        line("drained after", drain.toMillis() / 1000.0 + " s");
        line("relays started", relays.starts());
        line("faults", happened.size());
        Map<FaultKind, Long> kinds =
                happened.stream().collect(Collectors.groupingBy(Fault::kind, TreeMap::new, Collectors.counting()));
        kinds.forEach((kind, count) -> line("  " + kind, count));
        for (Violation violation : Violation.values()) {
            line(violation.name(), verdict.of(violation).size() + "  " + violation.meaning());
        }
        if (verdict.clean()) {
            journal.text("All promises held.");
        } else {
            keep(evidence, verdict);
        }
    }

    private void line(String name, Object value) {
        journal.text("| %-22s | %s".formatted(name, value));
    }

    private void keep(Evidence evidence, Verdict verdict) {
        for (Violation violation : Violation.values()) {
            verdict.of(violation).stream()
                    .limit(SHOWN)
                    .forEach(what -> journal.text("VIOLATION " + violation + ": " + what));
        }
        write(
                "violations.txt",
                Arrays.stream(Violation.values())
                        .flatMap(violation -> verdict.of(violation).stream().map(what -> violation + ": " + what))
                        .toList());
        write("written.txt", evidence.written());
        write("rows.txt", evidence.rows());
        write("delivered.txt", evidence.delivered());
        journal.text("Some promises were broken. What there is to look into: " + journal.directory());
    }

    private void write(String name, Collection<?> lines) {
        Path file = journal.directory().resolve(name);
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            lines.forEach(out::println);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
