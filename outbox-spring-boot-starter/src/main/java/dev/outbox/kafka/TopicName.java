package dev.outbox.kafka;

import java.util.regex.Pattern;

/** Which names a topic can have, by Kafka's own rule. */
public final class TopicName {

    /** The most characters that a name can have. */
    public static final int MAX_LENGTH = 249;

    private static final Pattern LEGAL = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1," + MAX_LENGTH + "}");

    private TopicName() {}

    /** Whether a topic can have this name. */
    public static boolean isLegal(String topic) {
        return LEGAL.matcher(topic).matches();
    }
}
