import type { Blobs } from '@stoa/kit/blobs/blobs.ts'
import { createSemaphore } from '@stoa/kit/semaphore.ts'
import { listSources, putMessage, type ReadMessage, readMessage, readMessageAsync } from '../../../store/store.ts'
import { type MessageReader, openMessage } from '../fetch-response/message-reader.ts'
import { partialContent, type SectionContent, sectionContent } from '../fetch-response/section-content.ts'
import { isDamage } from '../fetch-response/transforms.ts'
import { findFolder } from '../folders.ts'
import type { Literal } from '../parse/segments.ts'
import type { ImapSession } from '../session.ts'
import type { AppendPart } from './arguments.ts'
import { type MessageUrl, parseMessageUrl } from './urls.ts'

/** A message whose bytes are safe, and what is in it. */
export type Composed = { readonly blob: { readonly key: string; readonly size: number }; readonly read: ReadMessage }

/** A URL leads nowhere (RFC 4469 §4). */
export class BadUrl extends Error {
  override readonly name = 'BadUrl'
  readonly url: string

  constructor(url: string) {
    super('The URL does not refer to a message')
    this.url = url
  }
}

/** Limits how many large messages are in memory at once, over all clients. */
const large = createSemaphore({ parallel: 2, waiting: 1_000 })

/** Puts a message together and stores its bytes. `too_large` is refused; a URL that leads nowhere is a `BadUrl`. */
export const composeMessage = async (session: ImapSession, parts: readonly AppendPart[]): Promise<Composed> => {
  const { blobs, config } = session.parts
  const [only] = parts
  if (only?.kind === 'text' && parts.length === 1) return storedLiteral(session, only.literal)
  const sources: Source[] = []
  for (const part of parts)
    sources.push(part.kind === 'text' ? { literal: part.literal } : await openUrl(session, part.url))
  const blob = await putMessage(blobs, joined(blobs, sources), { maxBytes: config.maxMessageBytes })
  return { blob, read: await readStored(blobs, blob) }
}

const storedLiteral = async ({ parts }: ImapSession, literal: Literal): Promise<Composed> => {
  const { blobs, config } = parts
  if ('blob' in literal) return { blob: literal.blob, read: await readStored(blobs, literal.blob) }
  const blob = await putMessage(blobs, literal.bytes, { maxBytes: config.maxMessageBytes })
  return { blob, read: readMessage(literal.bytes) }
}

const readStored = (blobs: Blobs, { key, size }: { key: string; size: number }): Promise<ReadMessage> =>
  large.run(async () => {
    const bytes = Buffer.alloc(size)
    let length = 0
    for await (const chunk of (await blobs.get(key)).stream) length += chunk.copy(bytes, length)
    return readMessageAsync(bytes)
  })

type Source =
  | { readonly literal: Literal }
  | { readonly reader: MessageReader; readonly content: SectionContent; url: string }

async function* joined(blobs: Blobs, sources: readonly Source[]): AsyncGenerator<Buffer, void, undefined> {
  for (const source of sources) {
    if ('literal' in source) yield* bytesOf(blobs, source.literal)
    else yield* linked(source)
  }
}

async function* bytesOf(blobs: Blobs, literal: Literal): AsyncGenerator<Buffer, void, undefined> {
  if ('bytes' in literal) yield literal.bytes
  else yield* (await blobs.get(literal.blob.key)).stream
}

async function* linked({
  reader,
  content,
  url,
}: Extract<Source, { url: string }>): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* reader.stream(content)
  } catch (error) {
    throw isDamage(error) ? new BadUrl(url) : error
  }
}

/** The bytes that a URL names, of a message that this client may read. */
const openUrl = async (session: ImapSession, url: string): Promise<Source> => {
  const base = { hostname: session.parts.config.hostname, email: session.signIn?.address.email ?? '' }
  const parsed = parseMessageUrl(url, base)
  const found = parsed && (await findMessage(session, parsed))
  if (!found) throw new BadUrl(url)
  const shape = { structure: await found.structure(), prefix: found.source.prefix }
  const whole = sectionContent(shape, parsed.section)
  if (!whole) throw new BadUrl(url)
  return { reader: found, content: parsed.partial ? partialContent(whole, parsed.partial) : whole, url }
}

const findMessage = async (
  session: ImapSession,
  { mailbox, uidValidity, uid }: MessageUrl,
): Promise<MessageReader | null> => {
  const place = mailbox === null ? session.view : await findFolder(session, mailbox)
  if (!place || (uidValidity !== null && uidValidity !== place.folder.uidValidity)) return null
  const { addressId } = place.access
  const [source] = await listSources(session.parts.database.db, { addressId, folderId: place.folder.id, uids: [uid] })
  return source ? openMessage(session.parts, source) : null
}
