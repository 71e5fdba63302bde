package com.example.parcels;

import dev.outbox.OutboxMessage;
import dev.outbox.OutboxWriter;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Changes a parcel and tells of it, in one transaction. */
@Service
@Transactional
class ParcelService {

    static final String TOPIC = "parcel.events";

    private final ParcelRepository parcels;
    private final OutboxWriter outbox;

    ParcelService(ParcelRepository parcels, OutboxWriter outbox) {
        this.parcels = parcels;
        this.outbox = outbox;
    }

    void send(long id) {
        tell("ParcelSent", parcels.save(new Parcel(id)));
    }

    /** The change is flushed by Hibernate when the transaction ends, after the message. */
    void deliver(long id) {
        Parcel parcel = parcels.findById(id).orElseThrow();
        parcel.deliver();
        tell("ParcelDelivered", parcel);
    }

    void sendAndFail(long id) {
        send(id);
        throw new IllegalStateException("no vehicle");
    }

    @Transactional(readOnly = true)
    void tellWhileReading(long id) {
        tell("ParcelRead", parcels.findById(id).orElseThrow());
    }

    private void tell(String type, Parcel parcel) {
        outbox.write(OutboxMessage.to(TOPIC)
                .key(Long.toString(parcel.id()))
                .type(type)
                .json("{\"status\":\"" + parcel.status() + "\"}"));
    }
}
