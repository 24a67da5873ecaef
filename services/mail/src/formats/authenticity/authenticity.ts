export { type Authenticity, authenticate } from './authenticate.ts'
export { type DnsLookup, startLookups } from './lookups.ts'
export { foreignResults } from './results.ts'
export { readStoredResults, type StoredResults, signedFields } from './stored.ts'
