import { z } from 'zod'
import { captionCounts } from './count-caption.ts'
import { listOf, listQuery } from './lists.ts'
import { givenMoment, moment } from './moments.ts'

const MAX_CAPTION_LENGTH = 100_000
const MAX_NOTE_LENGTH = 5_000
const MAX_LINK_LENGTH = 2_048
const MAX_ALT_LENGTH = 2_000
/** More accounts than anybody posts to at once. */
const MAX_POST_ACCOUNTS = 100
/** More than any network shows in one post. */
const MAX_POST_MEDIA = 50
/** Two months and a little: a month's sheet has six weeks. */
const MAX_CALENDAR_DAYS = 62
export const CALENDAR_CAPTION_LENGTH = 500
const MAX_OPTION_KEYS = 50
const MAX_OPTION_LENGTH = 10_000

export const targetStatuses = ['draft', 'scheduled', 'publishing', 'posted', 'failed'] as const
export type TargetStatus = (typeof targetStatuses)[number]

export const postStatuses = ['draft', 'scheduled', 'publishing', 'posted', 'partial', 'failed'] as const
export type PostStatus = (typeof postStatuses)[number]

export const targetSteps = ['prepare', 'upload', 'wait', 'committing', 'confirm'] as const
export type TargetStep = (typeof targetSteps)[number]

/** The status of a post, from those of its targets. */
export const rollUp = (targets: readonly { status: TargetStatus }[]): PostStatus => {
  const has = (status: TargetStatus) => targets.some((target) => target.status === status)
  if (has('publishing')) return 'publishing'
  if (has('scheduled')) return 'scheduled'
  if (has('posted')) return targets.every(({ status }) => status === 'posted') ? 'posted' : 'partial'
  return has('failed') ? 'failed' : 'draft'
}

/** Why a network did not take a post, in its own words. */
const targetError = z.object({
  /** What is done about it: `transient` and `rate` are tried again by themselves. */
  kind: z.string(),
  /** The network's own code, or ours in capitals: OUTCOME_UNKNOWN, MISSED, ACCOUNT_GONE … */
  code: z.string(),
  message: z.string(),
  at: moment,
})
/** One post for one account. */
export const socialTarget = z.object({
  id: z.string(),
  accountId: z.string(),
  network: z.string(),
  account: z.object({ name: z.string(), handle: z.string().nullable(), avatarUrl: z.string().nullable() }),
  status: z.enum(targetStatuses),
  step: z.enum(targetSteps).nullable(),
  /** What went out, or goes out. */
  caption: z.string(),
  /** Where the post can be seen. */
  url: z.string().nullable(),
  postedAt: moment.nullable(),
  error: targetError.nullable(),
  warnings: z.array(z.string()),
  /** Tries since it was scheduled or sent by hand. */
  attempts: z.int(),
  /** With `failed`: the time of the automatic retry. */
  nextAttemptAt: moment.nullable(),
})
export type SocialTarget = z.infer<typeof socialTarget>

/** One try to send a target. */
export const socialAttempt = z.object({
  n: z.int(),
  startedAt: moment,
  endedAt: moment.nullable(),
  step: z.string().nullable(),
  outcome: z.string().nullable(),
  error: targetError.nullable(),
})
export type SocialAttempt = z.infer<typeof socialAttempt>

export const socialPost = z.object({
  id: z.string(),
  caption: z.string(),
  /** Captions by network; each replaces `caption`. */
  captions: z.record(z.string(), z.string()),
  accountIds: z.array(z.string()),
  media: z.array(
    z.object({ mediaId: z.uuid(), alt: z.string(), url: z.string().nullable(), kind: z.enum(['image', 'video']) }),
  ),
  /** Options by network or account id; the account's take precedence. */
  options: z.record(z.string(), z.record(z.string(), z.unknown())),
  link: z.string().nullable(),
  note: z.string().nullable(),
  status: z.enum(postStatuses),
  scheduledAt: moment.nullable(),
  authorId: z.uuid().nullable(),
  targets: z.array(socialTarget),
  createdAt: moment,
  updatedAt: moment,
  deletedAt: moment.nullable(),
  version: z.int(),
})
export type SocialPost = z.infer<typeof socialPost>

/** A single post also lists every attempt. */
export const socialPostDetail = socialPost.extend({
  targets: z.array(socialTarget.extend({ attemptLog: z.array(socialAttempt) })),
})
export type SocialPostDetail = z.infer<typeof socialPostDetail>

export const socialPostList = listOf(socialPost)
export const socialPostsQuery = listQuery({ status: z.enum(postStatuses).optional() })
const text = (max: number) =>
  z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((given) => given.isWellFormed() && !given.includes('\u0000'), 'must be text')
    // Browsers send the line breaks of forms as CRLF.
    .transform((given) => given.replaceAll('\r\n', '\n'))

const link = z
  .string()
  .trim()
  .max(MAX_LINK_LENGTH, `must have at most ${MAX_LINK_LENGTH} characters`)
  .refine((given) => /^https?:\/\/[^\s/]\S*$/i.test(given) && URL.canParse(given), 'must be an http or https URL')

/** A network or an account; what it names is checked where both are known. */
const name = z.string().min(1).max(64)

const optionValue = z.union([
  z.string().max(MAX_OPTION_LENGTH, `must have at most ${MAX_OPTION_LENGTH} characters`),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.string().max(500)).max(500),
])

const members = {
  caption: text(MAX_CAPTION_LENGTH),
  captions: z.record(name, text(MAX_CAPTION_LENGTH)),
  accountIds: z.array(z.string().max(64)).max(MAX_POST_ACCOUNTS, `must have at most ${MAX_POST_ACCOUNTS} accounts`),
  media: z
    .array(
      z.strictObject({
        mediaId: z.uuid('must be the ID of a media file'),
        /** The media record's text if absent. */
        alt: text(MAX_ALT_LENGTH).nullish(),
      }),
    )
    .max(MAX_POST_MEDIA, `must have at most ${MAX_POST_MEDIA} files`),
  options: z
    .record(name, z.record(z.string().max(64), optionValue))
    .refine((given) => Object.keys(given).length <= MAX_OPTION_KEYS, `must have at most ${MAX_OPTION_KEYS} members`),
  link: link.nullable(),
  note: text(MAX_NOTE_LENGTH).nullable(),
}

export const createSocialPostInput = z.strictObject({
  caption: members.caption.default(''),
  captions: members.captions.default({}),
  accountIds: members.accountIds,
  media: members.media.default([]),
  options: members.options.default({}),
  link: members.link.default(null),
  note: members.note.default(null),
})
export type CreateSocialPostInput = z.infer<typeof createSocialPostInput>

const version = z.int().min(1).optional()

/** Only the members sent change; lists and records are replaced whole. */
export const updateSocialPostInput = z.strictObject({
  caption: members.caption.optional(),
  captions: members.captions.optional(),
  accountIds: members.accountIds.optional(),
  media: members.media.optional(),
  options: members.options.optional(),
  link: members.link.optional(),
  note: members.note.optional(),
  version,
})
export type UpdateSocialPostInput = z.infer<typeof updateSocialPostInput>

export const scheduleSocialPostInput = z.strictObject({ at: givenMoment, version })

/** Without `targetIds`: all targets that are not out yet. */
export const publishSocialPostInput = z.strictObject({
  targetIds: z.array(z.string().max(64)).min(1).max(MAX_POST_ACCOUNTS).optional(),
  version,
})

/** A day of the calendar, in the site's time zone. */
export const calendarDay = z
  .string()
  .refine((day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && isDay(day), 'must be a date like 2026-03-01')

export const socialCalendarQuery = z.strictObject({
  from: calendarDay,
  days: z
    .string()
    .refine(
      (given) => /^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= MAX_CALENDAR_DAYS,
      `must be a whole number from 1 to ${MAX_CALENDAR_DAYS}`,
    )
    .transform(Number),
})

/** A post at the time when it goes out, or was to go out. Sent again to some accounts, it is there twice. */
export const socialCalendar = z.object({
  items: z.array(
    z.object({
      postId: z.string(),
      at: moment,
      status: z.enum(postStatuses),
      /** The beginning of it, as much as a calendar shows. */
      caption: z.string(),
      networks: z.array(z.string()),
      accountIds: z.array(z.string()),
      authorId: z.uuid().nullable(),
    }),
  ),
})
export type SocialCalendar = z.infer<typeof socialCalendar>

export const socialOverview = z.object({
  counts: z.record(z.enum(postStatuses), z.int()),
  /** What goes out next, at most five. */
  next: z.array(socialPost),
  /** What went out last, at most five. */
  last: z.array(socialPost),
  /** Connections that somebody has to look after. */
  attention: z.array(
    z.object({
      accountId: z.string().nullable(),
      network: z.string(),
      reason: z.string(),
      since: moment.nullable(),
    }),
  ),
})
export type SocialOverview = z.infer<typeof socialOverview>

const accountStatuses = ['active', 'needs_reconnect', 'disconnected'] as const
/** What this account may do that others may not. */
const accountCapabilities = z.object({
  captionMax: z.int().optional(),
  /** Mastodon servers count addresses as they please. */
  urlLength: z.int().optional(),
  imagesMax: z.int().optional(),
  imageMaxBytes: z.int().optional(),
  videoMaxBytes: z.int().optional(),
  altMax: z.int().optional(),
  imageTypes: z.array(z.string()).optional(),
  privacyLevels: z.array(z.string()).optional(),
  maxVideoSec: z.number().optional(),
  boards: z.array(z.object({ id: z.string(), name: z.string() })).optional(),
})
const accountShown = z.object({
  id: z.string(),
  name: z.string(),
  handle: z.string().nullable(),
  avatarUrl: z.string().nullable(),
  status: z.enum(accountStatuses),
  /** Why it cannot be used, for people. */
  statusReason: z.string().nullable(),
  capabilities: accountCapabilities,
})

const optionTypes = ['text', 'textarea', 'select', 'boolean', 'number', 'tags', 'media', 'board'] as const

export const networkOption = z.object({
  key: z.string(),
  type: z.enum(optionTypes),
  label: z.string(),
  help: z.string().optional(),
  values: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  required: z.literal(true).optional(),
  max: z.int().optional(),
})
export type NetworkOption = z.infer<typeof networkOption>

const networkLimits = z.object({
  captionMax: z.int(),
  /** How the network counts: what `countCaption` takes. */
  captionCount: z.enum(captionCounts),
  /** Where captions of pictures may be longer than those of videos. */
  photoCaptionMax: z.int().optional(),
  textOnly: z.boolean(),
  imagesMax: z.int(),
  imageTypes: z.array(z.string()),
  imageMaxBytes: z.int(),
  videoTypes: z.array(z.string()),
  videoMaxBytes: z.int(),
  videoSeconds: z.tuple([z.number(), z.number()]).nullable(),
  altText: z.object({ image: z.boolean(), video: z.boolean(), max: z.int().nullable() }),
  /** Where the post's link goes; in a caption it counts. */
  link: z.enum(['field', 'caption']),
  hashtagsMax: z.int().optional(),
  /** Narrowest and widest picture, width by height: others get borders. */
  imageAspect: z.tuple([z.number(), z.number()]).nullable(),
})

export const socialNetworks = z.object({
  items: z.array(
    z.object({
      network: z.string(),
      label: z.string(),
      limits: networkLimits,
      /** Shown in the composer while the post has a link. */
      linkNote: z.string().optional(),
      options: z.array(networkOption),
      accounts: z.array(accountShown),
      enabled: z.boolean(),
      warnings: z.array(z.string()),
    }),
  ),
})
export type SocialNetworks = z.infer<typeof socialNetworks>
export type SocialNetwork = SocialNetworks['items'][number]

/** An account as those see it who connect accounts. */
export const socialAccount = accountShown.extend({
  kind: z.enum(['page', 'profile', 'organization', 'channel']),
  profileUrl: z.string().nullable(),
  scopes: z.array(z.string()),
  missingScopes: z.array(z.string()),
  accessExpiresAt: moment.nullable(),
  pausedUntil: moment.nullable(),
  connectedAt: moment,
  lastUsedAt: moment.nullable(),
  version: z.int(),
})
export type SocialAccount = z.infer<typeof socialAccount>

export const socialAccounts = z.object({
  items: z.array(
    z.object({
      network: z.string(),
      label: z.string(),
      /** The app has an id and a secret and is switched on. */
      appReady: z.boolean(),
      accounts: z.array(socialAccount),
    }),
  ),
})
export type SocialAccounts = z.infer<typeof socialAccounts>

/** The consent page of the network, for a browser to go to. */
export const socialConsent = z.object({ url: z.string() })

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
