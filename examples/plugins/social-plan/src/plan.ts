import type { SocialPost } from '@stoa/cms-plugin'
import type { Reader } from './read-body.ts'

export const stages = ['idea', 'writing', 'review', 'approved'] as const
export type Stage = (typeof stages)[number]

export const stageLabels: Readonly<Record<Stage, string>> = {
  idea: 'Idea',
  writing: 'Writing',
  review: 'Review',
  approved: 'Approved',
}

export const isStage = (value: unknown): value is Stage => stages.some((stage) => stage === value)

/** The stage so many steps further; the first and the last have no neighbor on one side. */
export const stageBeside = (stage: Stage, steps: number): Stage | null => stages[stages.indexOf(stage) + steps] ?? null

export type PlanFile = { id: string; filename: string; alt: string; url: string }

export type Comment = { at: string; from: string; text: string; isApproval: boolean }

/** A copy of the post's state in core, as of the last read. */
export type Mirror = {
  status: SocialPost['status']
  scheduledAt: string | null
  targets: { network: string; account: string; status: string; error: string | null; url: string | null }[]
  at: string
}

/** The members that people write. */
export type PlanText = {
  title: string
  clientId: string | null
  brief: string
  dueOn: string | null
  stage: Stage
  ownerId: string | null
  caption: string
  mediaIds: string[]
  accountIds: string[]
  entryId: string | null
  entryTitle: string | null
}

export type Plan = PlanText & {
  /** Counts what people changed: the mirror changes the document, too. */
  edition: number
  files: PlanFile[]
  comments: Comment[]
  publishPostId: string | null
  mirror: Mirror | null
  /** Somebody is making the post. `since` is when the first try began. */
  claim: { at: string; since: string } | null
  /** A post of this plan that is no longer there. */
  lostPost: { id: string; at: string } | null
}

export const MAX_COMMENTS = 50

export const newPlan = (text: PlanText): Plan => ({
  ...text,
  edition: 1,
  files: [],
  comments: [],
  publishPostId: null,
  mirror: null,
  claim: null,
  lostPost: null,
})

/** The members that were sent, checked. */
export const readPlan = (read: Reader): Partial<PlanText> => ({
  ...read.text('title', { max: 200, isRequired: true }),
  ...read.id('clientId'),
  ...read.text('brief', { max: 10_000 }),
  ...read.day('dueOn'),
  ...read.choice('stage', stages),
  ...read.id('ownerId'),
  ...read.text('caption', { max: 10_000 }),
  ...read.ids('mediaIds', 20),
  ...read.ids('accountIds', 50),
  ...read.id('entryId'),
  ...read.optionalText('entryTitle', 500),
})

export const mirrorOf = (post: SocialPost, at: string): Mirror => ({
  status: post.status,
  scheduledAt: post.scheduledAt,
  targets: post.targets.map(({ network, account, status, error, url }) => ({
    network,
    account: account.name,
    status,
    error: error?.message ?? null,
    url,
  })),
  at,
})

/** True when the two say the same, whenever it was read. */
export const isSameMirror = (a: Mirror | null, b: Mirror): boolean =>
  a !== null && JSON.stringify({ ...a, at: '' }) === JSON.stringify({ ...b, at: '' })

/** A plan as lists show it. */
export type PlanSummary = Pick<
  Plan,
  'title' | 'clientId' | 'dueOn' | 'stage' | 'ownerId' | 'entryId' | 'publishPostId' | 'edition'
> & { id: string; status: Mirror['status'] | null; errors: number; commentCount: number }

export const summaryOf = (id: string, plan: Plan): PlanSummary => ({
  id,
  title: plan.title,
  clientId: plan.clientId,
  dueOn: plan.dueOn,
  stage: plan.stage,
  ownerId: plan.ownerId,
  entryId: plan.entryId,
  publishPostId: plan.publishPostId,
  edition: plan.edition,
  status: plan.mirror?.status ?? null,
  errors: plan.mirror?.targets.filter(({ error }) => error !== null).length ?? 0,
  commentCount: plan.comments.length,
})

/** `isStale`: core could not be asked, and the mirror is the last one. */
export type PlanDetail = Omit<Plan, 'claim'> & { id: string; isHandingOver: boolean; isStale: boolean }

export const detailOf = (id: string, { claim, ...plan }: Plan, isStale = false): PlanDetail => ({
  id,
  ...plan,
  isHandingOver: claim !== null,
  isStale,
})
