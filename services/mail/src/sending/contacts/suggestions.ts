import type { Suggestion, SuggestionListRequest } from '@stoa/mail-model/contacts.ts'
import { type List, toList } from '@stoa/mail-model/list.ts'
import type { Ctx } from '../../context.ts'
import { signInOf } from '../../principal.ts'
import { type FolderRole, getMessages, listFolders, queryMessages } from '../../store/store.ts'
import { matchingContacts } from './queries.ts'
import { type Author, rankPeople } from './rank.ts'

/** How many messages are read to find frequent correspondents. */
const MAX_MESSAGES = 200
const MAX_CONTACTS = 100

/** Whom somebody may mean who types the beginning of a name or an address. */
export const getSuggestions = async (ctx: Ctx, list: SuggestionListRequest): Promise<List<Suggestion>> => {
  const { id: addressId, email } = signInOf(ctx).address
  const search = list.search ?? ''
  const contacts = await matchingContacts(ctx.db, { addressId, search, limit: MAX_CONTACTS })
  // Signs alone are no words to look for.
  const authors = /[\p{L}\p{N}]/u.test(search) ? await findAuthors(ctx, addressId, search) : []
  const people = rankPeople({ contacts, authors, search, own: email, now: ctx.now() })
  const start = (list.page - 1) * list.per_page
  return toList(list, people.length, people.slice(start, start + list.per_page))
}

/** Folders whose senders are not suggested. */
const ELSEWHERE: readonly FolderRole[] = ['junk', 'trash', 'drafts', 'sent']

const findAuthors = async (ctx: Ctx, addressId: string, search: string): Promise<Author[]> => {
  const folders = await listFolders(ctx.db, addressId)
  const inFolderOtherThan = folders.filter(({ role }) => ELSEWHERE.some((each) => each === role)).map(({ id }) => id)
  const from = search
    .split(/\s+/)
    .map((word) => `${word}*`)
    .join(' ')
  const { ids } = await queryMessages(ctx.parts, {
    addressId,
    filter: { from, inFolderOtherThan },
    limit: MAX_MESSAGES,
  })
  const messages = await getMessages(ctx.db, addressId, ids)
  return messages.flatMap(({ envelope, receivedAt }) =>
    envelope.from.slice(0, 1).map((from) => ({ ...from, receivedAt })),
  )
}
