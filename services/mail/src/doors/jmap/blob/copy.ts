import { putMessage } from '../../../store/store.ts'
import { findBlob, type JmapBlob } from '../blobs.ts'
import { MAX_OBJECTS_IN_SET } from '../limits.ts'
import { CAPABILITIES, failMethod, type JmapMethod, type JmapParts } from '../method.ts'
import { failSet, type SetError } from '../set-error.ts'
import { checkNames, failArgument, readId, readIds } from '../standard/arguments.ts'
import { realId } from '../standard/get.ts'
import { bare, tryOne } from '../standard/set.ts'
import { checkUploadRoom, keepUpload } from '../upload.ts'

/** RFC 8620 §6.3. */
export const blobCopy: JmapMethod = {
  name: 'Blob/copy',
  capability: CAPABILITIES.core,
  async run(call, args) {
    checkNames(args, ['fromAccountId', 'blobIds'])
    const fromAccountId = readId(args, 'fromAccountId') ?? failArgument('fromAccountId', 'is required')
    const blobIds = readIds(args, 'blobIds') ?? failArgument('blobIds', 'is required')
    if (fromAccountId === args.accountId) return failArgument('fromAccountId', 'must be a different account')
    const from = (await call.findAccount(fromAccountId)) ?? failMethod('fromAccountNotFound')
    const access = await call.account(args, 'write')
    if (blobIds.length > MAX_OBJECTS_IN_SET)
      return failMethod('requestTooLarge', `At most ${MAX_OBJECTS_IN_SET} at once.`)
    const copied = bare<string>()
    const notCopied = bare<SetError>()
    for (const blobId of new Set(blobIds.map((each) => realId(call, each))))
      await tryOne(notCopied, blobId, async () => {
        const blob = (await findBlob(call, from, blobId)) ?? failSet('blobNotFound')
        await checkUploadRoom(call.parts, access, blob.size)
        copied[blobId] = (await keepUpload(call.parts, access, await storedOf(call.parts, blob))).blobId
      })
    return {
      fromAccountId,
      accountId: access.addressId,
      copied: Object.keys(copied).length > 0 ? copied : null,
      notCopied: Object.keys(notCopied).length > 0 ? notCopied : null,
    }
  },
}

/** The bytes as the blob store has them; those that are only a part of something are stored now. */
const storedOf = async ({ blobs, config }: JmapParts, blob: JmapBlob): Promise<{ key: string; size: number }> =>
  blob.stored ?? putMessage(blobs, await blob.bytes(), { maxBytes: config.maxMessageBytes })
