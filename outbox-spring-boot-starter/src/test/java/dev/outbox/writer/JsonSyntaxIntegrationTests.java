package dev.outbox.writer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outbox.testservers.Postgres;
import dev.outbox.testservers.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** A text that we take for JSON and PostgreSQL does not would cost the caller's transaction. */
class JsonSyntaxIntegrationTests {

    private static final long SEED = 20_261_129;
    private static final int TEXTS = 10_000;

    /** The judgement of the type's own input function, as a value instead of an error. */
    private static final String IS_JSON = """
            CREATE FUNCTION is_json(candidate text) RETURNS boolean LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM candidate::json;
                RETURN true;
            EXCEPTION WHEN OTHERS THEN
                RETURN false;
            END $$
            """;

    private static final List<String> SEEDS = List.of(
            "{\"b\":1,  \"a\":1.10,\"e\":1e-3000,\"a\":2}",
            "[\"\\u0000\\uD83D\\uDE80\\n\", \"Größe 漢字 \uD83D\uDE80\", \"\\\\\\\"/\\/\"]",
            " {\"a\": [true, false, null, {}, [], \"\"], \"\": {\"x\": [[[[-0.5E+7]]]]}} ",
            "[-0, 0.0, 10, 1e5, 2E-3, 3.25e+10, 123456789012345678901234567890]",
            "\"text\"",
            "-12.5e3",
            "null");

    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "\\u00e4",
        "\\ud8",
        "/",
        " ",
        "\n",
        "\t",
        "\r",
        "\f",
        "\u0001",
        "\u007f",
        "\u00a0",
        "\u2028",
        "0",
        "1",
        "9",
        "00",
        "-",
        "+",
        ".",
        "e",
        "E",
        "e+",
        "true",
        "false",
        "null",
        "tru",
        "a",
        "ü",
        "漢",
        "\uD83D\uDE80",
        "١",
        "'",
        "{}",
        "[]",
        "\"\"",
        "\"a\":",
        "\uFEFF"
    };

    private final Random random = new Random(SEED);

    @Test
    void theJudgementIsThatOfPostgres() throws SQLException {
        List<String> texts = new ArrayList<>(SEEDS);
        while (texts.size() < TEXTS) {
            texts.add(mutated(SEEDS.get(random.nextInt(SEEDS.size()))));
        }

        List<Boolean> judgements = postgresJudges(texts);

        SoftAssertions soft = new SoftAssertions();
        for (int i = 0; i < texts.size(); i++) {
            soft.assertThat(JsonSyntax.isValid(texts.get(i))).as(texts.get(i)).isEqualTo(judgements.get(i));
        }
        soft.assertAll();
        // Or the mutations would prove little.
        assertThat(judgements.stream().filter(valid -> valid).count()).isBetween(TEXTS / 20L, TEXTS * 19L / 20);
    }

    @Test
    void whatWeTakeAtTheDeepestNestingPostgresTakesToo() throws SQLException {
        List<String> texts =
                List.of("[".repeat(1_000) + "]".repeat(1_000), "{\"a\":".repeat(1_000) + "1" + "}".repeat(1_000));
        assertThat(texts).allMatch(JsonSyntax::isValid);
        assertThat(postgresJudges(texts)).containsOnly(true);
    }

    private String mutated(String text) {
        StringBuilder mutated = new StringBuilder(text);
        int mutations = 1 + random.nextInt(3);
        for (int i = 0; i < mutations; i++) {
            int at = boundary(mutated, random.nextInt(mutated.length() + 1));
            int end = boundary(mutated, Math.min(mutated.length(), at + random.nextInt(3)));
            switch (random.nextInt(3)) {
                case 0 -> mutated.insert(at, PIECES[random.nextInt(PIECES.length)]);
                case 1 -> mutated.delete(at, end);
                default -> mutated.replace(at, end, PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return mutated.toString();
    }

    /** Never between the halves of a surrogate pair: the driver could not send the text. */
    private static int boundary(CharSequence text, int at) {
        return at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
    }

    private static List<Boolean> postgresJudges(List<String> texts) throws SQLException {
        Postgres postgres = TestServers.postgres();
        List<Boolean> judgements = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(postgres.createDatabase(), postgres.user(), postgres.password());
                Statement statement = connection.createStatement()) {
            statement.execute(IS_JSON);
            try (PreparedStatement query = connection.prepareStatement(
                    "SELECT is_json(candidate) FROM unnest(?) WITH ORDINALITY AS t (candidate, position)"
                            + " ORDER BY position")) {
                query.setArray(1, connection.createArrayOf("text", texts.toArray()));
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) {
                        judgements.add(rows.getBoolean(1));
                    }
                }
            }
        }
        return judgements;
    }
}
