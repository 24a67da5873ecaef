export { startTransfers } from './worker.ts'
