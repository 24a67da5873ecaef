-- Finished deliveries of one endpoint by age, for pruning: those that wait are not read past.

create index webhook_delivery_finished on webhook_delivery (endpoint_id, created_at desc, id desc)
  where next_attempt_at is null;
