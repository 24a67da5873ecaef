-- By how many bytes a message grows when every line of it ends with CR LF, as POP3 sends it. What came by SMTP does not.
alter table message add column wire_growth integer not null default 0;
