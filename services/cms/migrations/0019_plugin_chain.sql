-- How many plugins acted one after the other until this event: two that answer each other end somewhere.
alter table plugin_event add column chain integer not null default 0;
