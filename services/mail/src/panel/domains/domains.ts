export { createDomain, deleteDomain, verifyDomain } from './operations.ts'
export { getDomains, readDomain } from './panel.ts'
