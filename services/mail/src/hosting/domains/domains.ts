export {
  activateKey,
  addKey,
  checkNewKey,
  generateDomainKeys,
  generateFurtherKey,
  type KeyPair,
  keyRows,
  removeKey,
} from './dkim-keys.ts'
export type { Hosting } from './hosting.ts'
export { loadDomain } from './load.ts'
export { findLocalDomain } from './local.ts'
export { isRegistrable, needsNoProof, parseDomainName } from './names.ts'
export {
  type DkimKey,
  type Domain,
  type DomainChange,
  findDomain,
  findKey,
  findPolicyMode,
  insertKeys,
  listDomains,
  listKeys,
  lockDomain,
  updateDomainRow,
} from './queries.ts'
export { type DomainView, findAnyDomainView, listDomainViews } from './view-queries.ts'
