-- With the address in it, the rule can be kept where the rows of an address are. Found by the message alone as before.
alter table submission add constraint submission_queue_key unique (queue_id, address_id);
alter table submission drop constraint submission_queue_id_key;
