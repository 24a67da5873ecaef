import { searchTextOf } from '../../../formats/mime/mime.ts'
import type { MailboxAccess } from '../../../hosting/shares/shares.ts'
import {
  type Filter,
  findMatches,
  getMessages,
  getWholeMessages,
  isOperator,
  queryMessages,
  type WholeMessage,
} from '../../../store/store.ts'
import { readContent, readingWork, textSize } from '../email/content.ts'
import { readEmailFilter } from '../email/filter.ts'
import { isObjectId } from '../email/ids.ts'
import { eachOf } from '../email/parallel.ts'
import type { BodyView } from '../email/properties.ts'
import { MAX_OBJECTS_IN_GET } from '../limits.ts'
import { type Args, CAPABILITIES, failMethod, type JmapCall, type JmapMethod } from '../method.ts'
import { checkNames, failArgument, readIds } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { markAll, markPreview } from './highlight.ts'

/** SearchSnippet/get (RFC 8621 §5.1). */
const getSnippets = async (call: JmapCall, args: Args): Promise<Args> => {
  const access = await call.account(args)
  checkNames(args, ['filter', 'emailIds'])
  const given = readIds(args, 'emailIds') ?? failArgument('emailIds', 'is required and must be a list of ids')
  if (given.length > MAX_OBJECTS_IN_GET)
    return failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_GET} messages at once.`)
  const emailIds = [...new Set(given.map((id) => realId(call, id)))]
  const wanted = wantedTexts(readEmailFilter(args))
  const { addressId, viewerId } = access
  const messages = await getMessages(call.parts.database.db, addressId, emailIds.filter(isObjectId), viewerId)
  const previews = await findPreviews(call, access, { ids: messages.map(({ id }) => id), wanted: wanted.body })
  const known = new Set(messages.map(({ id }) => id))
  const notFound = emailIds.filter((id) => !known.has(id))
  return {
    accountId: addressId,
    list: messages.map(({ id, subject }) => ({
      emailId: id,
      subject: markedSubject(subject ?? '', wanted.subject),
      preview: previews.get(id) ?? null,
    })),
    // Unlike that of other /get methods.
    notFound: notFound.length > 0 ? notFound : null,
  }
}

export const snippetMethods: readonly JmapMethod[] = [
  { name: 'SearchSnippet/get', capability: CAPABILITIES.mail, run: getSnippets },
]

type WantedTexts = { subject: string[]; body: string[] }

/** What a filter looks for in subjects and bodies; what must not be there is not shown. */
const wantedTexts = (filter: Filter): WantedTexts => {
  if (isOperator(filter)) {
    const inner = filter.operator === 'not' ? [] : filter.conditions.map(wantedTexts)
    return { subject: inner.flatMap(({ subject }) => subject), body: inner.flatMap(({ body }) => body) }
  }
  const { text, subject, body } = filter
  const given = (...texts: (string | undefined)[]) => texts.filter((each) => each !== undefined)
  return { subject: given(text, subject), body: given(text, body) }
}

const markedSubject = (subject: string, wanted: readonly string[]): string | null => {
  const matches = findMatches(subject, wanted)
  return matches.length > 0 ? markAll(subject, matches) : null
}

/** Rows of the database at a time, and messages that are read at a time. */
const PAGE = 50
const READERS = 4

const TEXTS: BodyView = {
  properties: [],
  headers: [],
  isTree: false,
  values: { text: true, html: true, all: false },
  maxBytes: 524_288,
}

/** The part of a body that is searched for a match: each word is compared. */
const MAX_TEXT = 100_000

/** The beginnings of matches in bodies; only messages that have one are read. */
const findPreviews = async (
  { parts, budget }: JmapCall,
  { addressId, viewerId }: MailboxAccess,
  { ids, wanted }: { ids: readonly string[]; wanted: readonly string[] },
): Promise<Map<string, string>> => {
  const previews = new Map<string, string>()
  const words = [...new Set(wanted.flatMap((text) => text.split(/\s+/)))].filter((word) => word !== '')
  if (words.length === 0 || ids.length === 0) return previews
  const any = { operator: 'or', conditions: words.slice(0, MAX_WORDS).map((body) => ({ body })) } as const
  const filter = { operator: 'and', conditions: [{ ids }, any] } as const
  const found = await queryMessages(parts, { addressId, filter, limit: ids.length })
  for (let at = 0; at < found.ids.length; at += PAGE) {
    const messages = await getWholeMessages(parts.database.db, addressId, found.ids.slice(at, at + PAGE), viewerId)
    await eachOf(messages, READERS, async (message) => {
      const preview = await findPreview({ parts, budget }, message, wanted)
      if (preview !== null) previews.set(message.id, preview)
      if (budget.turn.isOver()) await budget.turn.next()
    })
  }
  return previews
}

const findPreview = async (
  { parts, budget }: Pick<JmapCall, 'parts' | 'budget'>,
  message: WholeMessage,
  wanted: readonly string[],
): Promise<string | null> => {
  budget.spend(readingWork(message))
  await budget.room(message.size)
  const { body, bytes } = await readContent(parts, message, { body: TEXTS, isPartsOnly: false }, async (known) =>
    budget.spend(textSize(known, TEXTS)),
  )
  const text = searchTextOf(body, bytes).slice(0, MAX_TEXT).toWellFormed().replace(/\s+/g, ' ').trim()
  const matches = findMatches(text, wanted)
  return matches.length > 0 ? markPreview(text, matches) : null
}

/** The most words to highlight: as many as a filter may have conditions, and some more. */
const MAX_WORDS = 100
