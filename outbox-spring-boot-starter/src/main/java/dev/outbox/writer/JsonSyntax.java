package dev.outbox.writer;

/**
 * Checks that a text is one JSON value (RFC 8259), as PostgreSQL will. The database would say the same,
 * but only at the price of the caller's transaction; and the outbox works without a JSON library.
 */
final class JsonSyntax {

    private static final int MAX_DEPTH = 1000;

    private final String text;
    private int at;

    private JsonSyntax(String text) {
        this.text = text;
    }

    static boolean isValid(String text) {
        JsonSyntax syntax = new JsonSyntax(text);
        syntax.space();
        if (!syntax.value(0)) {
            return false;
        }
        syntax.space();
        return syntax.at == text.length();
    }

    private boolean value(int depth) {
        if (depth > MAX_DEPTH) {
            return false;
        }
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private boolean object(int depth) {
        at++;
        space();
        if (skip('}')) {
            return true;
        }
        do {
            space();
            if (!string()) {
                return false;
            }
            space();
            if (!skip(':')) {
                return false;
            }
            space();
            if (!value(depth + 1)) {
                return false;
            }
            space();
        } while (skip(','));
        return skip('}');
    }

    private boolean array(int depth) {
        at++;
        space();
        if (skip(']')) {
            return true;
        }
        do {
            space();
            if (!value(depth + 1)) {
                return false;
            }
            space();
        } while (skip(','));
        return skip(']');
    }

    private boolean string() {
        if (!skip('"')) {
            return false;
        }
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return true;
            }
            if (c < ' ' || (c == '\\' && !escape())) {
                return false;
            }
        }
        return false;
    }

    private boolean escape() {
        if (!skip('u')) {
            return at < text.length() && "\"\\/bfnrt".indexOf(text.charAt(at++)) >= 0;
        }
        int end = at + 4;
        while (at < end) {
            if (at == text.length() || Character.digit(text.charAt(at), 16) < 0 || text.charAt(at) > 'f') {
                return false;
            }
            at++;
        }
        return true;
    }

    private boolean number() {
        skip('-');
        if (!skip('0') && !digits()) {
            return false;
        }
        if (skip('.') && !digits()) {
            return false;
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            return digits();
        }
        return true;
    }

    private boolean digits() {
        int start = at;
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        return at > start;
    }

    private boolean word(String word) {
        boolean found = text.startsWith(word, at);
        at += word.length();
        return found;
    }

    private void space() {
        while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') {
            at++;
        }
    }

    private boolean skip(char expected) {
        if (peek() == expected) {
            at++;
            return true;
        }
        return false;
    }

    /** The next character, or NUL, which no JSON text contains, at the end. */
    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }
}
