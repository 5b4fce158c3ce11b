ALTER TABLE ledger.payment_looks RENAME TO payment_polls;
ALTER TABLE ledger.payment_polls RENAME looked_at_ms TO polled_at_ms;
ALTER TABLE ledger.payment_polls RENAME CONSTRAINT payment_looks_pkey TO payment_polls_pkey;
