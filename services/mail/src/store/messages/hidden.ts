/**
 * A value at which PostgreSQL does not look when it plans a statement. Where few mailboxes have most of the mail, a plan for
 * one of the others looks cheaper to it than the one that it keeps: it would plan each time anew, which takes several
 * times as long as the work.
 */
export const hidden = (value: string): string => `(select ${value})`
