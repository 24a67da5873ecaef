export { type Authenticity, authenticate } from './authenticate.ts'
export type { DnsLookup } from './lookups.ts'
export { foreignResults } from './results.ts'
export { readStoredResults, type StoredResults, signedFields } from './stored.ts'
