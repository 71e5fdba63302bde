package com.example.parcels;

import org.springframework.data.jpa.repository.JpaRepository;

interface ParcelRepository extends JpaRepository<Parcel, Long> {}
