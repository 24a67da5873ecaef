-- Entries are read far more often than written, and the value of one field, such as the one that a list is sorted by, is only
-- found in data that is unpacked as a whole. So it is stored as it is, and beside the other columns where it fits a page.
-- Entries that are there already change with their next save.
alter table entry alter column data set storage external;
alter table entry set (toast_tuple_target = 8160);
