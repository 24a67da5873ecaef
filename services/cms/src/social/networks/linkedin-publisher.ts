import { bearer } from './http/api-call.ts'
import { NetworkFailure } from './http/failure.ts'
import { LONG_TIMEOUT_MS } from './http/http.ts'
import { listOf, memberOf, numberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import { call, LABEL, type MediaState, type Progress, succeed, type VideoPart } from './linkedin-api.ts'
import type { Posted, Publisher, Publishing, PublishMedia } from './network.ts'
import { findPosted } from './posting/find-posted.ts'
import { addFirstComment } from './posting/first-comment.ts'
import { resume } from './posting/resume.ts'

export const linkedinPublisher: Publisher<Progress> = {
  async upload(publishing) {
    const media = [...(publishing.progress.media ?? [])]
    for (const [index, file] of publishing.outgoing.media.entries()) {
      const keep: Keep = async (state) => {
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
    const id = reply.headers.get('x-restli-id') ?? reply.headers.get('x-linkedin-id')
    return postedOf(requireText({ id }, 'id', LABEL, 'unknown'))
  },
  reconcile,
  async confirm(publishing, posted) {
    const warnings = await addFirstComment(publishing, (text) => comment(publishing, posted.remoteId, text))
    return { url: posted.url, warnings }
  },
}

const uploadImage = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<string> => {
  const { json } = await call(publishing, {
    path: '/rest/images',
    query: { action: 'initializeUpload' },
    body: { json: { initializeUploadRequest: { owner: publishing.account.remoteId } } },
  })
  const value = memberOf(json, 'value')
  const urn = requireText(value, 'image', LABEL, 'transient')
  const reply = await publishing.http({
    method: 'PUT',
    url: requireText(value, 'uploadUrl', LABEL, 'transient'),
    isHandedOut: true,
    authorization: bearer(publishing),
    body: { bytes: file.read(), length: file.bytes, type: file.type },
    timeoutMs: LONG_TIMEOUT_MS,
  })
  succeed(reply, publishing.now())
  return urn
}

type Keep = (state: MediaState) => Promise<MediaState>

const uploadVideo = (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  known: MediaState | undefined,
  keep: Keep,
): Promise<void> =>
  resume(
    known,
    async () => keep(await beginVideo(publishing, file)),
    (state) => finishVideo(publishing, file, state, keep),
  )

const finishVideo = async (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  begun: MediaState,
  keep: Keep,
): Promise<void> => {
  let state = begun
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
  const value = objectOf(memberOf(json, 'value'))
  const parts = listOf(value.uploadInstructions).map((part) => ({
    uploadUrl: requireText(part, 'uploadUrl', LABEL, 'transient'),
    firstByte: numberOf(memberOf(part, 'firstByte')) ?? 0,
    lastByte: numberOf(memberOf(part, 'lastByte')) ?? file.bytes - 1,
  }))
  return {
    urn: requireText(value, 'video', LABEL, 'transient'),
    uploadToken: textOf(value.uploadToken) ?? '',
    parts,
    etags: [],
  }
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
  return requireText({ etag: etag?.replace(/^"(.*)"$/, '$1') }, 'etag', LABEL, 'transient')
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
        message: textOf(memberOf(json, 'processingFailureReason')) ?? "LinkedIn couldn't process the file",
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

const RECENT = 25

async function reconcile(publishing: Publishing<Progress>): Promise<Posted | 'not-posted' | 'unknown'> {
  const { account, outgoing } = publishing
  if (account.kind !== 'organization') return 'unknown'
  const { json } = await call(publishing, {
    path: '/rest/posts',
    query: { author: account.remoteId, q: 'author', count: RECENT, sortBy: 'LAST_MODIFIED' },
    headers: { 'x-restli-method': 'FINDER' },
  })
  const own = readLittleText(escapeLittleText(outgoing.caption))
  const found = findPosted(memberOf(json, 'elements'), {
    since: outgoing.since,
    timeMember: 'createdAt',
    pageSize: RECENT,
    isSame: ({ commentary }) => readLittleText(textOf(commentary) ?? '') === own,
  })
  return typeof found === 'string' ? found : postedOf(requireText(found, 'id', LABEL, 'unknown'))
}

const comment = async (publishing: Publishing<Progress>, urn: string, text: string): Promise<void> => {
  await call(publishing, {
    path: `/rest/socialActions/${encodeURIComponent(urn)}/comments`,
    body: { json: { actor: publishing.account.remoteId, object: urn, message: { text } } },
  })
}
