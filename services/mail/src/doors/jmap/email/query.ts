import { queryMessages } from '../../../store/store.ts'
import { type Args, failMethod, type JmapCall } from '../method.ts'
import { readBoolean } from '../standard/arguments.ts'
import { MAX_QUERY_IDS, readQuery } from '../standard/query.ts'
import { readEmailFilter } from './filter.ts'
import { isObjectId } from './ids.ts'
import { readEmailSort } from './sort.ts'

/** Email/query (RFC 8621 §4.4). */
export const queryEmails = async (call: JmapCall, args: Args): Promise<Args> => {
  const request = await readQuery(call, args, ['collapseThreads'])
  const { access, anchor, anchorOffset, position, calculateTotal } = request
  const search = readEmailSearch(args)
  if (anchor !== null && !isObjectId(anchor))
    return failMethod('anchorNotFound', 'The anchor was not found in the results.')
  const limit = Math.min(request.limit ?? MAX_QUERY_IDS, MAX_QUERY_IDS)
  const result = await queryMessages(call.parts, {
    addressId: access.addressId,
    viewerId: access.viewerId,
    ...search,
    ...(anchor === null ? { position } : { anchor: { messageId: anchor, offset: anchorOffset } }),
    limit,
    wantsTotal: calculateTotal,
  })
  // RFC 8620 §5.5: a limit that we set is returned.
  const isCut = request.limit === null ? result.ids.length === limit : request.limit > limit
  return {
    accountId: access.addressId,
    queryState: String(result.modseq),
    canCalculateChanges: true,
    position: result.position,
    ids: result.ids,
    ...(result.total === null ? {} : { total: result.total }),
    ...(isCut ? { limit } : {}),
  }
}

/** What is searched for and in which order; the same for Email/query and Email/queryChanges. */
export const readEmailSearch = (args: Args) => ({
  filter: readEmailFilter(args),
  sort: readEmailSort(args),
  collapseThreads: readBoolean(args, 'collapseThreads'),
})
