package dev.outbox.headers;

import org.jspecify.annotations.Nullable;

/** Walks through JSON that the database has checked: all there is to find out is its shape. */
final class JsonReader {

    private final String json;
    private int at;

    JsonReader(String json) {
        this.json = json;
    }

    boolean skip(char expected) {
        space();
        if (at < json.length() && json.charAt(at) == expected) {
            at++;
            return true;
        }
        return false;
    }

    void expect(char expected) {
        if (!skip(expected)) {
            throw new IllegalArgumentException("'" + expected + "' expected at character " + at);
        }
    }

    /** A string, number or boolean as text; null for JSON's null. */
    @Nullable
    String scalar() {
        space();
        char first = at < json.length() ? json.charAt(at) : '\0';
        if (first == '"') {
            return string();
        }
        if (first == '{' || first == '[') {
            throw new IllegalArgumentException("a header's value can only be text, at character " + at);
        }
        int start = at;
        while (at < json.length() && ",]} \n\r\t".indexOf(json.charAt(at)) < 0) {
            at++;
        }
        String word = json.substring(start, at);
        return word.equals("null") ? null : word;
    }

    String string() {
        expect('"');
        int start = at;
        while (json.charAt(at) != '"' && json.charAt(at) != '\\') {
            at++;
        }
        if (json.charAt(at) == '"') {
            return json.substring(start, at++);
        }
        StringBuilder text = new StringBuilder(json.length() - start).append(json, start, at);
        for (char c = json.charAt(at++); c != '"'; c = json.charAt(at++)) {
            text.append(c == '\\' ? escaped() : c);
        }
        return text.toString();
    }

    private char escaped() {
        char c = json.charAt(at++);
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(json, at - 4, at, 16);
            }
            default -> c;
        };
    }

    private void space() {
        while (at < json.length() && Character.isWhitespace(json.charAt(at))) {
            at++;
        }
    }
}
