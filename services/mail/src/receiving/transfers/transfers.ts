export { countActiveTransfers } from './panel-queries.ts'
export { startTransfers, type TransferWorker } from './worker.ts'
