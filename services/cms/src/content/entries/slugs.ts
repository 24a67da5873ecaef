import { isReservedSlug, nextFreeSlug, slugFromTitle, slug as slugShape } from '@stoa/cms-model/slugs.ts'
import { issueText } from '@stoa/issue-text/issue-text.ts'
import type { CmsDb, CmsTx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { findHighestNumber, listTakenSlugs, lockName } from './queries.ts'

/** So many slugs are looked up at once; more entries of the same title are rare. */
const CANDIDATES = 30

/** Leaves room for a number behind it. */
const MAX_NUMBERED = 180

type SlugOwner = { type: string /** The entry itself, if it is there already. */; id: string }

/** A slug that someone gave: refused when it is malformed, reserved, or another entry has it. */
export const claimSlug = async (db: CmsDb, slug: string, { type, id }: SlugOwner): Promise<string> => {
  const { success, error } = slugShape.safeParse(slug, { error: issueText })
  if (!success) failFields(error.issues.slice(0, 1).map(({ message }) => ({ key: 'slug', message })))
  if (isReservedSlug(slug))
    fail('RESERVED_SLUG', { details: { fields: [{ key: 'slug', message: `"${slug}" is a reserved address` }] } })
  if (await isSlugTaken(db, slug, { type, id })) refuseTakenSlug(slug)
  return slug
}

export const isSlugTaken = async (db: CmsDb, slug: string, { type, id }: SlugOwner): Promise<boolean> =>
  (await listTakenSlugs(db, { type, slugs: [slug], except: id })).has(slug)

/** Made of the title, with -2, -3 … behind it; the id while nothing can be made of it. */
export const deriveSlug = async (tx: CmsTx, text: string, locale: string, { type, id }: SlugOwner): Promise<string> => {
  const base = slugFromTitle(text, locale)
  if (base === '') return id
  // Others who derive the same slug at this moment wait, and see this one as taken.
  await lockName(tx, `slug ${type} ${base}`)
  const candidates = new Set<string>()
  while (candidates.size < CANDIDATES) candidates.add(nextFreeSlug(base, candidates))
  const taken = await listTakenSlugs(tx, { type, slugs: [...candidates], except: id })
  const free = nextFreeSlug(base, taken)
  if (candidates.has(free)) return free
  const start = base.slice(0, MAX_NUMBERED).replace(/-$/, '')
  return `${start}-${(await findHighestNumber(tx, type, start)) + 1}`
}

export const refuseTakenSlug = (slug: string, cause?: unknown): never =>
  fail('SLUG_TAKEN', {
    details: { fields: [{ key: 'slug', message: `"${slug}" is already used by another entry` }] },
    ...(cause === undefined ? {} : { cause }),
  })
