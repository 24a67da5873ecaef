-- Header values that envelopes and body structures are made from, see mime/kept-fields.ts: lists are shown without reading
-- the messages. Null for what is too long, or was stored before.
alter table message add column headers bytea;
