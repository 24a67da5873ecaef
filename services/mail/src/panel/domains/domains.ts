export { createDomain, deleteDomain, verifyDomain } from './operations.ts'
export { getDomains } from './panel.ts'
