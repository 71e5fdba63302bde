package com.example.parcels;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Version;

@Entity
class Parcel {

    @Id
    private long id;

    private String status = "SENT";

    /** Without a value for an entity that is new. */
    @Version
    private Integer version;

    protected Parcel() {}

    Parcel(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    String status() {
        return status;
    }

    void deliver() {
        status = "DELIVERED";
    }
}
