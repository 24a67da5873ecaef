-- A ticket of a session or key that is gone is refused when it is used. With the reference, every ticket would lock and
-- write the one row of a key that thousands of visitors' sockets share.
alter table realtime_ticket
  drop constraint realtime_ticket_session_id_fkey,
  drop constraint realtime_ticket_delivery_key_id_fkey;
