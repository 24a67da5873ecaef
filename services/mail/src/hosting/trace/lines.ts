/** What other parts read and remove of the trace. */
export { deleteOldRefused, deleteRefusedOfGone, traceLines } from './queries.ts'
