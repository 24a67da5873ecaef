import type { MessageFilter } from '@stoa/mail-model/message-filter.ts'
import type { Ctx } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import { signInOf } from '../../../principal.ts'
import { type Condition, type Filter, type Folder, listFolders } from '../../../store/store.ts'
import { parseSearch } from './search-syntax.ts'
import { RECIPIENTS, searchFilter, wordsFilter } from './search-terms.ts'

/** What a list or an action selects, in the mailbox of the signed-in user. A folder that is not in it: 404. */
export const readMailFilter = async (ctx: Ctx, request: MessageFilter): Promise<Filter> => {
  const folders = namesFolders(request) ? await listFolders(ctx.db, signInOf(ctx).address.id) : []
  return parseMailFilter(request, { folders, now: ctx.now() })
}

/** Whether it takes the folders of the mailbox to understand. */
export const namesFolders = ({ folder_id: folderId, search = '' }: MessageFilter): boolean =>
  folderId !== undefined || /\b(?:in|folder):/i.test(search)

/** Parses a filter where the folders of the mailbox are known already. */
export const parseMailFilter = (
  request: MessageFilter,
  { folders, now }: { folders: readonly Folder[]; now: Date },
): Filter => {
  const { folder_id: folderId, search } = request
  if (folderId !== undefined && !folders.some(({ id }) => id === folderId)) fail('not_found')
  const more: Filter[] = []
  if (request.from) more.push(wordsFilter(['from'], request.from))
  if (request.to) more.push(wordsFilter(RECIPIENTS, request.to))
  if (search) more.push(searchFilter(parseSearch(search), { folders, now }))
  const plain = plainCondition(request)
  return more.length === 0 ? plain : { operator: 'and', conditions: [plain, ...more] }
}

/** Together, so that the store sees the folder and nothing else where nothing else is asked for. */
const plainCondition = (request: MessageFilter): Condition => ({
  ...(request.folder_id !== undefined && { inFolder: request.folder_id }),
  ...(request.unread !== undefined && { isUnread: request.unread }),
  ...(request.flagged === true && { hasKeyword: '$flagged' }),
  ...(request.flagged === false && { notKeyword: '$flagged' }),
  ...(request.has_attachments !== undefined && { hasAttachment: request.has_attachments }),
  ...(request.since && { after: request.since }),
  ...(request.before && { before: request.before }),
})
