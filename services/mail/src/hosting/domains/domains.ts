import type { Ctx } from '../../context.ts'
import { fail } from '../../errors.ts'
import { sessionOf } from '../../principal.ts'
import { type DomainView, findDomainView } from './view-queries.ts'

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

/** The domain that a path names, if it is in the caller's account. */
export const loadDomain = async (ctx: Ctx, { params }: { params: { domain_id: string } }): Promise<DomainView> =>
  (await findDomainView(ctx.db, sessionOf(ctx).account.id, params.domain_id)) ?? fail('not_found')
