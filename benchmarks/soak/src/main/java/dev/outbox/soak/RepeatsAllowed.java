package dev.outbox.soak;

import java.util.List;

/**
 * How many repeats the faults can explain. A message is sent again only if a batch ended without its mark being
 * committed, and a relay has one batch in flight. So a fault repeats the batch of each relay that it touches, at most.
 */
final class RepeatsAllowed {

    private RepeatsAllowed() {}

    static long of(List<Fault> happened, int relays, int batchSize) {
        return happened.stream()
                .mapToLong(fault -> batchSize
                        * switch (fault.kind().touches()) {
                            case NONE -> 0L;
                            case ONE -> 1L;
                            case ALL -> relays;
                        })
                .sum();
    }
}
