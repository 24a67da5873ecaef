import { ALL_TYPES } from '@stoa/cms-model/keys.ts'
import {
  MAX_SNAPSHOT_BYTES,
  PREVIEW_SECONDS,
  type PreviewInput,
  type PreviewLink,
  withPreviewToken,
} from '@stoa/cms-model/preview.ts'
import { hashToken, newToken } from '@stoa/kit/crypto/tokens.ts'
import {
  addressOf,
  type Content,
  claimSlug,
  mergeSent,
  type Opened,
  openEntry,
  requireEdit,
  workingCopy,
} from '../../content/entries/entries.ts'
import { readSettings } from '../../content/settings/settings.ts'
import { requireType } from '../../content/types/types.ts'
import type { CmsTx, Ctx } from '../../context.ts'
import { fail, failFields } from '../../errors.ts'
import { accountOf, deliveryOf } from '../../principal.ts'
import { deliverEntry, type Shown } from '../delivery/delivery.ts'
import {
  deleteExpiredPreviews,
  deletePreview,
  EXPIRED_AT_ONCE,
  evictLinks,
  evictSnapshots,
  insertPreview,
  lockPreviews,
  type OpenedPreview,
  openPreviewRow,
} from './queries.ts'

/**
 * A link that shows the entry, with unsaved changes if there are any, to anyone who has it. Nothing is saved or
 * published.
 */
export const createPreview = (ctx: Ctx, id: string, input: PreviewInput): Promise<PreviewLink> =>
  ctx.tx(async (tx) => {
    const opened = await openEntry(ctx, tx, id, { wanted: null, may: requireEdit })
    const content = await unsavedContent(ctx, tx, opened, input)
    const token = newToken()
    const expiresAt = new Date(ctx.now().getTime() + PREVIEW_SECONDS * 1000)
    await keep(ctx, tx, { token, entryId: id, content, expiresAt, replaces: input.replaces })
    const { slug } = content ?? workingCopy(opened.entry)
    const siteUrl = addressOf(ctx, opened, { id, slug, locale: opened.entry.locale })
    return {
      token,
      expiresAt: expiresAt.toISOString(),
      url: siteUrl === null ? null : withPreviewToken(siteUrl, token),
      siteUrl,
    }
  })

/** The entry of a link, at any status. Whatever is wrong with link or key, the answer is the same. */
export const openPreview = async (
  ctx: Ctx,
  token: string,
  search: Iterable<readonly [string, string]>,
): Promise<Shown> => {
  const principal = deliveryOf(ctx)
  const opened = await openLink(ctx, token, principal.types)
  const shown = await deliverEntry(ctx, principal, {
    id: opened.entryId,
    search,
    ...(opened.content && { content: opened.content }),
  })
  return shown ?? fail('PREVIEW_NOT_FOUND')
}

/** Where the website shows the entry of a link; null when its type has no address template. Only for who made the link. */
export const pageOfPreview = async (
  ctx: Ctx,
  { entryId, token }: { entryId: string; token: string },
): Promise<string | null> => {
  const opened = await openLink(ctx, token, [ALL_TYPES])
  if (opened.entryId !== entryId || opened.createdBy !== accountOf(ctx).id) fail('PREVIEW_NOT_FOUND')
  const [type, settings] = await Promise.all([requireType(ctx.db, opened.type), readSettings(ctx.db)])
  return addressOf(ctx, { type, settings }, { id: entryId, slug: opened.slug, locale: opened.locale })
}

const openLink = async (ctx: Ctx, token: string, types: readonly string[]): Promise<OpenedPreview> => {
  const opening = { tokenHash: hashToken(token), now: ctx.now(), bootId: ctx.bootId, types, allTypes: ALL_TYPES }
  return (await ctx.tx((tx) => openPreviewRow(tx, opening))) ?? fail('PREVIEW_NOT_FOUND')
}

/** What the entry would be after saving; null when nothing unsaved was sent. */
const unsavedContent = async (
  ctx: Ctx,
  tx: CmsTx,
  { entry, type }: Opened,
  input: PreviewInput,
): Promise<Content | null> => {
  const { title, slug, data: sent } = input
  if (title === undefined && slug === undefined && sent === undefined) return null
  const working = workingCopy(entry)
  const { data, problems } = await mergeSent(ctx, tx, type, { stored: working.data, sent: sent ?? {} })
  const content = { title: title ?? working.title, slug: slug ?? working.slug, data }
  if (bytesOf(content) > MAX_SNAPSHOT_BYTES)
    fail('PAYLOAD_TOO_LARGE', {
      message: 'These changes are too large to preview',
      details: { limit: MAX_SNAPSHOT_BYTES },
    })
  if (problems.length > 0) failFields(problems)
  if (content.slug !== working.slug) await claimSlug(tx, content.slug, { type: type.name, id: entry.id })
  return content
}

type Kept = {
  token: string
  entryId: string
  content: Content | null
  expiresAt: Date
  replaces: string | undefined
}

/** Stores the preview, and removes what it has no room beside. */
const keep = async (ctx: Ctx, tx: CmsTx, { token, entryId, content, expiresAt, replaces }: Kept): Promise<void> => {
  const tokenHash = hashToken(token)
  const { bootId } = ctx
  const now = ctx.now()
  await lockPreviews(tx)
  await deleteExpiredPreviews(tx, now, EXPIRED_AT_ONCE)
  if (replaces !== undefined) await deletePreview(tx, { tokenHash: hashToken(replaces), entryId })
  await insertPreview(tx, {
    tokenHash,
    entryId,
    snapshot: content && JSON.stringify(content),
    bytes: content === null ? 0 : bytesOf(content),
    bootId,
    createdBy: accountOf(ctx).id,
    now,
    expiresAt,
  })
  if (content === null) return evictLinks(tx, tokenHash)
  await evictSnapshots(tx, { kept: tokenHash, bootId })
}

const bytesOf = (content: Content): number => Buffer.byteLength(JSON.stringify(content))
