import { z } from 'zod'
import { entryStatuses } from './entries.ts'
import { mediaObject } from './media.ts'
import { moment } from './moments.ts'

/** An entry at a glance: how it stands and what it looks like, without its content. */
const entryCard = z.object({
  id: z.uuid(),
  type: z.string(),
  title: z.string(),
  status: z.enum(entryStatuses),
  /** Has unpublished changes. */
  pending: z.boolean(),
  publishAt: moment.nullable(),
  unpublishAt: moment.nullable(),
  updatedAt: moment,
  updatedBy: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** The first file of its picture field; null without one. */
  cover: mediaObject.nullable(),
})
export type EntryCard = z.infer<typeof entryCard>

const typeCount = z.object({
  type: z.string(),
  /** Outside of the trash. */
  total: z.int(),
  published: z.int(),
  /** The one entry of a single type whose page can be edited on the page itself. */
  pageId: z.uuid().nullable(),
})

/** What the first screen of the admin shows. Lists that are not for this person are empty. */
export const dashboard = z.object({
  types: z.array(typeCount),
  /** Changed last, by anyone. */
  recent: z.array(entryCard),
  /** One's own drafts that are not scheduled, the latest first. */
  drafts: z.array(entryCard),
  /** The next change first; those of others need content.publish. */
  scheduled: z.array(entryCard),
  /** With unpublished changes; needs content.publish. */
  pending: z.array(entryCard),
  /** Their time came while something was missing, and nobody touched them since; needs content.publish. */
  failed: z.array(entryCard),
  /** Webhooks that do not reach their target; needs webhooks.manage. */
  webhooks: z.array(z.object({ id: z.uuid(), name: z.string(), enabled: z.boolean() })),
})
export type Dashboard = z.infer<typeof dashboard>
