package dev.outbox.relay;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a failure says, fit to be stored and logged: short, in ASCII, so that a database of any encoding takes it, and
 * without credentials. Of a message's payload and headers no ten characters in a row are left.
 */
final class FailureText {

    static final int MAX_LENGTH = 1000;

    /** Texts are looked at no further than this. */
    private static final int MAX_LOOK = 4 * MAX_LENGTH;

    private static final int MAX_SECRET = 1024 * 1024;

    /** A word of a payload says nothing, a phrase does. */
    private static final int FRAGMENT = 10;

    private static final String HIDDEN = "***";

    /** What follows is made of quotes, semicolons and secrets. */
    private static final Pattern JAAS = Pattern.compile("(?is)(sasl\\.jaas\\.config|\\w*LoginModule)\\b.*");

    private static final Pattern PEM = Pattern.compile("(?s)-----BEGIN [A-Z ]+-----.*");

    private static final Pattern NAMED = Pattern.compile(
            "(?i)((?:password|passwd|pwd|passphrase|secret|token|credentials?|(?:api|access|private)[._-]?key)"
                    + "[\\w.-]*[\"']?\\s*[=:]\\s*)(\"[^\"]*\"?|'[^']*'?|[^\\s,;]+)");

    private static final Pattern BEARER = Pattern.compile("(?i)\\b(bearer|basic)\\s+\\S{8,}");

    private static final Pattern USER_INFO = Pattern.compile("(://)[^/\\s@]*@");

    private FailureText() {}

    /** What a failure says that has nothing to do with a message. */
    static String of(Throwable failure) {
        return bounded(ascii(withoutCredentials(text(failure))));
    }

    /** What a failure of a message says. */
    static String of(Throwable failure, PendingMessage message) {
        String text = withoutCredentials(text(failure));
        byte[] payload = message.payload();
        text = without(text, payload == null ? null : decoded(payload));
        return bounded(ascii(without(text, message.headers())));
    }

    private static String text(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        if (name.isEmpty()) {
            name = failure.getClass().getName();
        }
        try {
            String message = failure.getMessage();
            if (message == null) {
                return name;
            }
            if (failure instanceof SQLException) {
                // The lines after the first have values of the row.
                message = message.lines().findFirst().orElse("");
            }
            return name + ": " + message.substring(0, Math.min(message.length(), MAX_LOOK));
        } catch (RuntimeException | Error e) {
            return name;
        }
    }

    private static String withoutCredentials(String text) {
        String clean = JAAS.matcher(text).replaceAll("$1 " + HIDDEN);
        clean = PEM.matcher(clean).replaceAll(HIDDEN);
        clean = NAMED.matcher(clean).replaceAll("$1" + HIDDEN);
        clean = BEARER.matcher(clean).replaceAll("$1 " + HIDDEN);
        return USER_INFO.matcher(clean).replaceAll("$1" + HIDDEN + "@");
    }

    private static String decoded(byte[] payload) {
        return new String(payload, 0, Math.min(payload.length, MAX_SECRET), StandardCharsets.UTF_8);
    }

    /** Hides each run of characters that the secret has as well. */
    private static String without(String text, @Nullable String secret) {
        if (secret == null || text.length() < FRAGMENT) {
            return text;
        }
        Set<String> found = common(text, secret);
        if (found.isEmpty()) {
            return text;
        }
        BitSet hidden = new BitSet();
        for (int i = 0; i + FRAGMENT <= text.length(); i++) {
            if (found.contains(text.substring(i, i + FRAGMENT))) {
                hidden.set(i, i + FRAGMENT);
            }
        }
        StringBuilder clean = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i = hidden.get(i) ? hidden.nextClearBit(i) : i + 1) {
            if (hidden.get(i)) {
                clean.append(HIDDEN);
            } else {
                clean.append(text.charAt(i));
            }
        }
        return clean.toString();
    }

    private static Set<String> common(String text, String secret) {
        Set<String> fragments = new HashSet<>();
        BitSet starts = new BitSet();
        for (int i = 0; i + FRAGMENT <= text.length(); i++) {
            fragments.add(text.substring(i, i + FRAGMENT));
            starts.set(start(text, i));
        }
        Set<String> common = new HashSet<>();
        for (int i = 0; i + FRAGMENT <= secret.length(); i++) {
            if (starts.get(start(secret, i))) {
                String fragment = secret.substring(i, i + FRAGMENT);
                if (fragments.contains(fragment)) {
                    common.add(fragment);
                }
            }
        }
        return common;
    }

    /** A number for the first characters of a fragment: a payload of a megabyte is looked through in no time by it. */
    private static int start(String text, int at) {
        return (text.charAt(at) * 31 * 31 + text.charAt(at + 1) * 31 + text.charAt(at + 2)) & 0xFFFF;
    }

    private static String ascii(String text) {
        StringBuilder ascii = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x7F) {
                ascii.append(c);
            } else if (c == '\n' || c == '\r' || c == '\t') {
                ascii.append(' ');
            } else if (c >= 0x7F) {
                ascii.append(String.format("\\u%04x", (int) c));
            }
        }
        return ascii.toString();
    }

    private static String bounded(String text) {
        return text.substring(0, Math.min(text.length(), MAX_LENGTH));
    }
}
