export { countActiveTransfers } from './panel-queries.ts'
export { startTransfers } from './worker.ts'
