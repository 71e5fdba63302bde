package dev.outbox.writer;

import dev.outbox.PayloadSerializer;
import tools.jackson.databind.json.JsonMapper;

/** Serializes payloads as the application serializes everything else. */
final class JacksonPayloadSerializer implements PayloadSerializer {

    private final JsonMapper mapper;

    JacksonPayloadSerializer(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public String toJson(Object payload) {
        return mapper.writeValueAsString(payload);
    }
}
