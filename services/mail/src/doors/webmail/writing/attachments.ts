import type { ComposedAttachment } from '@stoa/mail-model/compose.ts'
import type { Ctx } from '../../../context.ts'
import { fail, failMember } from '../../../errors.ts'
import { detectMimeType, type NewAttachment } from '../../../formats/compose/compose.ts'
import { type BodyPart, decodeStructure, decodeTransfer, parseMessage, readBody } from '../../../formats/mime/mime.ts'
import { ownAccess } from '../../../hosting/shares/shares.ts'
import { signInOf } from '../../../principal.ts'
import { getWholeMessage, readBlob } from '../../../store/store.ts'
import { findBlob, type JmapBlob } from '../../jmap/jmap.ts'
import { onOneLine } from './one-line.ts'

/** Messages of the largest size that are taken apart for one that is written. */
const WORK = 2
const BASE64 = /^[A-Za-z0-9+/=\s]*$/
const AFTER_THE_END = /=\s*[A-Za-z0-9+/]/

/**
 * The files of a message that somebody writes: given with it, uploaded before, or kept from the draft that it was.
 * `maxBytes` is for all together: one byte more is 413, before anything is read that was not given.
 */
export const readAttachments = async (
  ctx: Ctx,
  given: readonly ComposedAttachment[],
  { draftId, maxBytes }: { draftId: string | null; maxBytes: number },
): Promise<NewAttachment[]> => {
  const partsOfDraft = given.some(({ section }) => section !== undefined) ? await openDraft(ctx, draftId) : null
  const sources: Source[] = []
  const takeSize = createBudget(maxBytes)
  // A part of a message inside of a message is found by taking that one apart.
  const takeWork = createBudget(WORK * maxBytes)
  for (const [index, attachment] of given.entries()) {
    const source = await sourceOf(ctx, attachment, { index, partsOfDraft, spend: takeWork })
    takeSize(source.size)
    sources.push(source)
  }
  const read: NewAttachment[] = []
  for (const [index, source] of sources.entries()) {
    const { filename: name, content_type: type, content_id: contentId = source.contentId } = given[index] ?? {}
    const filename = onOneLine(name ?? source.filename)
    read.push({
      filename,
      contentType: type ?? source.contentType ?? detectMimeType(filename),
      content: await source.bytes(),
      ...(contentId ? { contentId } : {}),
    })
  }
  return read
}

type Spend = (bytes: number) => void

const createBudget = (maxBytes: number): Spend => {
  let left = maxBytes
  return (bytes) => {
    left -= bytes
    if (left < 0) fail('quota_exceeded', { message: 'The attachments are too large for one message.' })
  }
}

type Source = {
  size: number
  filename: string
  /** Null: what its name says. */
  contentType: string | null
  contentId: string | null
  bytes(): Promise<Buffer>
}

type DraftParts = ReadonlyMap<string, Source>

const sourceOf = async (
  ctx: Ctx,
  { content, blob_id: blobId, section }: ComposedAttachment,
  { index, partsOfDraft, spend }: { index: number; partsOfDraft: DraftParts | null; spend: Spend },
): Promise<Source> => {
  if (content !== undefined) return givenSource(content, index)
  if (blobId !== undefined) {
    const blob = await findBlob(
      { parts: ctx.parts, budget: { spend, room: async () => undefined } },
      ownAccess(signInOf(ctx).address),
      blobId,
    )
    return blob ? blobSource(blob, blobId) : fail('not_found', { message: "This blob doesn't exist in this mailbox." })
  }
  return partsOfDraft?.get(section ?? '') ?? fail('not_found', { message: "The draft doesn't have this part." })
}

const givenSource = (content: string, index: number): Source => {
  if (!BASE64.test(content) || AFTER_THE_END.test(content)) failMember(`attachments.${index}.content`, 'must be base64')
  const bytes = Buffer.from(content, 'base64')
  return { size: bytes.length, filename: '', contentType: null, contentId: null, bytes: async () => bytes }
}

/** The blob ids of messages begin with `m`. */
const blobSource = (blob: JmapBlob, blobId: string): Source => {
  const isMessage = blobId.startsWith('m')
  return {
    size: blob.size,
    filename: isMessage ? 'message.eml' : 'attachment',
    contentType: isMessage ? 'message/rfc822' : null,
    contentId: null,
    bytes: () => blob.bytes(),
  }
}

const openDraft = async (ctx: Ctx, draftId: string | null): Promise<DraftParts> => {
  if (draftId === null) return new Map()
  const { blobs, log } = ctx.parts
  const message = await getWholeMessage(ctx.db, signInOf(ctx).address.id, draftId)
  const bytes = await readBlob(blobs, message, { log })
  const { bodyStructure } = readBody(decodeStructure(message.structure) ?? parseMessage(bytes), bytes)
  return new Map(leavesOf(bodyStructure).map((leaf) => [leaf.partId ?? '', partSource(leaf, bytes)]))
}

const partSource = ({ part, name, type, cid, size }: BodyPart, bytes: Buffer): Source => ({
  size,
  filename: name ?? 'attachment',
  contentType: type,
  contentId: cid,
  bytes: async () => decodeTransfer(bytes.subarray(part.bodyStart, part.end), part.encoding),
})

const leavesOf = (part: BodyPart): BodyPart[] => part.subParts?.flatMap(leavesOf) ?? [part]
