/** The states of what is still in the queue, for SQL: as the partial indexes of its table have them. */
export const UNFINISHED = `('queued', 'sending', 'deferred')`
