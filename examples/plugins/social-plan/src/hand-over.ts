import type { SocialPost, StoredDocument } from '@stoa/cms-plugin'
import { clock, Problem, social } from 'stoa'
import { change, isCode, plans } from './documents.ts'
import { isNoteOf, nextStep, noteFor } from './hand-over-steps.ts'
import { isSameMirror, mirrorOf, type Plan } from './plan.ts'

const PAGE = 25
const MAX_PAGES = 40
/** The clocks of two machines may differ by this. */
const SKEW_MS = 5 * 60_000

/**
 * Makes the core post of a plan, as the person who asked. However often and by however many it is pressed there is one
 * post: the plan is claimed before the post is made, and a caller that finds an old claim looks for the post by its note first.
 */
export const handOver = async (id: string): Promise<StoredDocument<Plan>> => {
  const claimed = await claim(id)
  if (claimed.value.publishPostId !== null) return claimed
  const { value: plan } = claimed
  const isRetry = plan.claim !== null && plan.claim.since !== plan.claim.at
  const made = isRetry ? await findMade(id, plan.claim?.since ?? '') : null
  return link(id, made ?? (await make(id, plan)))
}

/** The plan with our claim, or with its post. */
const claim = (id: string): Promise<StoredDocument<Plan>> =>
  change(plans, id, (plan) => {
    const at = clock.now().toISOString()
    switch (nextStep(plan, at)) {
      case 'done':
        return null
      case 'choose-accounts':
        throw new Problem(400, 'Choose at least one account to post to', {
          fields: [{ key: 'accountIds', message: 'is required' }],
        })
      case 'wait':
        throw new Problem(409, 'Someone is handing over this plan right now. Try again in a minute')
      case 'claim':
        return { ...plan, claim: { at, since: plan.claim?.since ?? at } }
    }
  })

const make = async (id: string, plan: Plan): Promise<SocialPost> => {
  try {
    return await social.createPost({
      caption: plan.caption,
      accountIds: plan.accountIds,
      media: plan.mediaIds.map((mediaId) => ({ mediaId })),
      note: noteFor(id, plan.title),
    })
  } catch (error) {
    const refusal = refusalOf(error)
    // Refused for sure: there is no post. After anything else there may be one, and the claim stays.
    if (refusal) await change(plans, id, (now) => ({ ...now, claim: null }))
    throw refusal ?? error
  }
}

const refusalOf = (error: unknown): Problem | null => {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null
  if (error.status < 400 || error.status > 499) return null
  return new Problem(error.status, error.message, 'details' in error ? error.details : null)
}

/** The post that an earlier try made before it could say so. */
const findMade = async (id: string, since: string): Promise<SocialPost | null> => {
  const oldest = new Date(Date.parse(since) - SKEW_MS).toISOString()
  let found: SocialPost | null = null
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { items, meta } = await social.posts({ page, limit: PAGE })
    for (const post of items) if (post.createdAt >= oldest && isNoteOf(id, post.note)) found = post
    if (page >= meta.pages || items.some(({ createdAt }) => createdAt < oldest)) break
  }
  return found
}

const link = (id: string, post: SocialPost): Promise<StoredDocument<Plan>> =>
  change(plans, id, (plan) => ({
    ...plan,
    publishPostId: post.id,
    mirror: mirrorOf(post, clock.now().toISOString()),
    claim: null,
    lostPost: null,
  }))

const MAX_TRIES = 5

/**
 * What core says about the post now; a deleted post leaves the plan, which says so. The post is read after the plan, and
 * both again if the plan changed meanwhile: an older reading never replaces a newer one.
 */
export const refresh = async (id: string): Promise<Plan> => {
  for (let tries = 1; ; tries += 1) {
    const found = await plans.get(id)
    if (!found) throw new Problem(404, 'There is no such plan')
    const { value: plan, version } = found
    if (plan.publishPostId === null) return plan
    const post = await readPost(plan.publishPostId)
    const next = mirrored(plan, post, clock.now().toISOString())
    if (next.mirror !== null && isSameMirror(plan.mirror, next.mirror)) return next
    try {
      await plans.put(id, next, { ifVersion: version })
      return next
    } catch (error) {
      if (!isCode(error, 'VERSION_CONFLICT') || tries === MAX_TRIES) throw error
    }
  }
}

const readPost = async (id: string): Promise<SocialPost | null> => {
  try {
    return await social.getPost(id)
  } catch (error) {
    if (isCode(error, 'NOT_FOUND')) return null
    throw error
  }
}

const mirrored = (plan: Plan, post: SocialPost | null, at: string): Plan =>
  post === null
    ? { ...plan, publishPostId: null, mirror: null, lostPost: { id: plan.publishPostId ?? '', at } }
    : { ...plan, mirror: mirrorOf(post, at) }
