package com.example.compatibility;

/** The payload: JSON by the application's Jackson. */
public record OrderPlaced(String customer, int number) {}
