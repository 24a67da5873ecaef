import { NetworkFailure } from './failure.ts'
import { call, type MediaState, type Progress, requireText, succeed, type VideoPart } from './linkedin-api.ts'
import type { Posted, Publisher, Publishing, PublishMedia } from './network.ts'
import { isSince, LONG_TIMEOUT_MS, listOf, memberOf, recordOf, textOf, warningOf } from './read-reply.ts'

export const linkedinPublisher: Publisher<Progress> = {
  async upload(publishing) {
    const media = [...(publishing.progress.media ?? [])]
    for (const [index, file] of publishing.outgoing.media.entries()) {
      const keep = async (state: MediaState): Promise<MediaState> => {
        media[index] = state
        await publishing.save({ media: [...media] })
        return state
      }
      if (file.kind === 'video') await uploadVideo(publishing, file, media[index], keep)
      else if (!media[index]) await keep({ urn: await uploadImage(publishing, file), isFinal: true })
    }
  },
  wait,
  async commit(publishing) {
    const reply = await call(publishing, {
      path: '/rest/posts',
      body: { json: postOf(publishing) },
      timeoutMs: LONG_TIMEOUT_MS,
    })
    const urn = reply.headers.get('x-restli-id') ?? reply.headers.get('x-linkedin-id')
    if (urn === null)
      throw new NetworkFailure({
        kind: 'unknown',
        code: 'NO_ID',
        message: 'LinkedIn answered without an id',
        httpStatus: reply.status,
      })
    return postedOf(urn)
  },
  reconcile,
  async confirm(publishing, posted) {
    const text = textOf(publishing.outgoing.options.firstComment)
    if (text === undefined || publishing.progress.hasCommented) return { url: posted.url, warnings: [] }
    // Kept before the call: a comment that is missing is better than one that is there twice.
    await publishing.save({ hasCommented: true })
    try {
      await comment(publishing, posted.remoteId, text)
      return { url: posted.url, warnings: [] }
    } catch (error) {
      if (error instanceof NetworkFailure) await publishing.save({ hasCommented: false })
      return { url: posted.url, warnings: [`The first comment wasn't posted: ${warningOf(error)}`] }
    }
  },
}

const uploadImage = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<string> => {
  const { json } = await call(publishing, {
    path: '/rest/images',
    query: { action: 'initializeUpload' },
    body: { json: { initializeUploadRequest: { owner: publishing.account.remoteId } } },
  })
  const urn = requireText(memberOf(json, 'value', 'image'))
  const reply = await publishing.http({
    method: 'PUT',
    url: requireText(memberOf(json, 'value', 'uploadUrl')),
    isHandedOut: true,
    authorization: { scheme: 'Bearer', value: publishing.accessToken },
    body: { bytes: file.read(), length: file.bytes, type: file.type },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  succeed(reply, publishing.now())
  return urn
}

const uploadVideo = async (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  known: MediaState | undefined,
  keep: (state: MediaState) => Promise<MediaState>,
): Promise<void> => {
  let state = known ?? (await keep(await beginVideo(publishing, file)))
  if (state.isFinal) return
  const { parts = [], uploadToken = '' } = state
  for (const part of parts.slice(state.etags?.length ?? 0)) {
    const etag = await sendPart(publishing, file, part)
    state = await keep({ ...state, etags: [...(state.etags ?? []), etag] })
  }
  await call(publishing, {
    path: '/rest/videos',
    query: { action: 'finalizeUpload' },
    body: { json: { finalizeUploadRequest: { video: state.urn, uploadToken, uploadedPartIds: state.etags ?? [] } } },
  })
  await keep({ urn: state.urn, isFinal: true })
}

const beginVideo = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<MediaState> => {
  const request = {
    owner: publishing.account.remoteId,
    fileSizeBytes: file.bytes,
    uploadCaptions: false,
    uploadThumbnail: false,
  }
  const { json } = await call(publishing, {
    path: '/rest/videos',
    query: { action: 'initializeUpload' },
    body: { json: { initializeUploadRequest: request } },
  })
  const value = recordOf(memberOf(json, 'value'))
  const parts = listOf(value.uploadInstructions).map((part) => ({
    uploadUrl: requireText(memberOf(part, 'uploadUrl')),
    firstByte: Number(memberOf(part, 'firstByte')),
    lastByte: Number(memberOf(part, 'lastByte')),
  }))
  return { urn: requireText(value.video), uploadToken: textOf(value.uploadToken) ?? '', parts, etags: [] }
}

const sendPart = async (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  { uploadUrl, firstByte, lastByte }: VideoPart,
): Promise<string> => {
  const to = lastByte + 1
  const reply = await publishing.http({
    method: 'PUT',
    url: uploadUrl,
    isHandedOut: true,
    body: { bytes: file.read({ from: firstByte, to }), length: to - firstByte, type: 'application/octet-stream' },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  const etag = succeed(reply, publishing.now()).headers.get('etag')
  return requireText(etag?.replace(/^"(.*)"$/, '$1'))
}

/** People's tokens may not ask about images: those get the time between two questions instead. */
async function wait(publishing: Publishing<Progress>): Promise<'ready' | 'processing'> {
  const { account, outgoing, progress } = publishing
  for (const [index, { urn }] of (progress.media ?? []).entries()) {
    const isVideo = outgoing.media[index]?.kind === 'video'
    if (!isVideo && account.kind !== 'organization') continue
    const path = `/rest/${isVideo ? 'videos' : 'images'}/${encodeURIComponent(urn)}`
    const { json } = await call(publishing, { path })
    const status = textOf(memberOf(json, 'status'))
    if (status === 'PROCESSING_FAILED')
      throw new NetworkFailure({
        kind: 'invalid',
        code: status,
        message: textOf(memberOf(json, 'processingFailureReason')) ?? 'LinkedIn could not process the file',
      })
    if (status !== 'AVAILABLE') return 'processing'
  }
  const isBlind = account.kind !== 'organization' && outgoing.media.some(({ kind }) => kind === 'image')
  if (!isBlind || progress.hasWaited) return 'ready'
  await publishing.save({ hasWaited: true })
  return 'processing'
}

const postOf = ({ account, outgoing, progress }: Publishing<Progress>): Record<string, unknown> => ({
  author: account.remoteId,
  commentary: escapeLittleText(outgoing.caption),
  visibility: textOf(outgoing.options.visibility) ?? 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  ...contentOf(outgoing.media, progress.media ?? []),
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: outgoing.options.disableReshare === true,
})

const contentOf = (files: readonly PublishMedia[], states: readonly MediaState[]): Record<string, unknown> => {
  const items = states.map(({ urn }, index) => {
    const file = files[index]
    return { id: urn, ...(file?.kind === 'image' && file.alt !== '' && { altText: file.alt }) }
  })
  if (items.length === 0) return {}
  return { content: items.length === 1 ? { media: items[0] } : { multiImage: { images: items } } }
}

/** LinkedIn's "little text": reserved characters get a backslash, and what is a hashtag stays one. */
export const escapeLittleText = (text: string): string =>
  text.replace(/(?<![\p{L}\p{N}_])#[\p{L}\p{N}_]+|[\\|{}@[\]()<>#*_~]/gu, (found) =>
    found.length > 1 ? found : `\\${found}`,
  )

const readLittleText = (text: string): string => text.replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1').trim()

const postedOf = (urn: string): Posted => ({ remoteId: urn, url: `https://www.linkedin.com/feed/update/${urn}` })

const RECENT = 5

async function reconcile(publishing: Publishing<Progress>): Promise<Posted | 'not-posted' | 'unknown'> {
  const { account, outgoing } = publishing
  if (account.kind !== 'organization') return 'unknown'
  const { json } = await call(publishing, {
    path: '/rest/posts',
    query: { author: account.remoteId, q: 'author', count: RECENT, sortBy: 'LAST_MODIFIED' },
    headers: { 'x-restli-method': 'FINDER' },
  })
  const since = listOf(memberOf(json, 'elements'))
    .map(recordOf)
    .filter(({ createdAt }) => isSince(Number(createdAt), outgoing.since))
  const own = readLittleText(escapeLittleText(outgoing.caption))
  const urn = textOf(since.find(({ commentary }) => readLittleText(textOf(commentary) ?? '') === own)?.id)
  if (urn !== undefined) return postedOf(urn)
  return since.length >= RECENT ? 'unknown' : 'not-posted'
}

export const comment = async (publishing: Publishing<Progress>, urn: string, text: string): Promise<void> => {
  await call(publishing, {
    path: `/rest/socialActions/${encodeURIComponent(urn)}/comments`,
    body: { json: { actor: publishing.account.remoteId, object: urn, message: { text } } },
  })
}
