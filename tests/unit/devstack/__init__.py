"""Tests of the reference product, without servers, browser or model."""
