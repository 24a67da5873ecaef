import { captionUrls } from '@stoa/cms-model/caption-urls.ts'
import { NetworkFailure } from './http/failure.ts'
import { LONG_TIMEOUT_MS, type NetworkReply } from './http/http.ts'
import { type JsonObject, listOf, memberOf, numberOf, objectOf, requireText, textOf } from './http/read-reply.ts'
import type { AccountReach, Posted, Publisher, Publishing, PublishMedia } from './network.ts'
import { findPosted } from './posting/find-posted.ts'
import { resume } from './posting/resume.ts'
import { call, requireId } from './x-api.ts'

const SEGMENT_BYTES = 4 * 2 ** 20

type MediaState = {
  id: string
  expiresAt: string
  /** Segments that arrived. */
  sent: number
  isFinal?: boolean
  isReady?: boolean
  hasAlt?: boolean
}
export type Progress = { media: MediaState[] }

export const xPublisher: Publisher<Progress> = {
  async upload(publishing) {
    const media = freshMedia(publishing)
    for (const [index, file] of publishing.outgoing.media.entries()) {
      const keep: Keep = async (change) => {
        const next = { ...(media[index] ?? { id: '', expiresAt: '', sent: 0 }), ...change }
        media[index] = next
        await publishing.save({ media: [...media] })
        return next
      }
      const state = needsSegments(file)
        ? await sendSegments(publishing, file, media[index], keep)
        : (media[index] ?? (await keep(await sendImage(publishing, file))))
      if (file.kind === 'image' && file.alt !== '' && !state.hasAlt) {
        await describe(publishing, state.id, file.alt)
        await keep({ hasAlt: true })
      }
    }
  },
  async wait(publishing) {
    const media = [...(publishing.progress.media ?? [])]
    for (const [index, state] of media.entries()) {
      if (state.isReady) continue
      if (!(await isProcessed(publishing, state.id))) return 'processing'
      media[index] = { ...state, isReady: true }
      await publishing.save({ media: [...media] })
    }
    return 'ready'
  },
  async commit(publishing) {
    const { outgoing, progress } = publishing
    const ids = (progress.media ?? []).map(({ id }) => id)
    const { replySettings, madeWithAi, paidPartnership } = outgoing.options
    const json = {
      ...(outgoing.caption !== '' && { text: outgoing.caption }),
      ...(ids.length > 0 && { media: { media_ids: ids } }),
      ...(typeof replySettings === 'string' && replySettings !== 'everyone' && { reply_settings: replySettings }),
      ...(madeWithAi === true && { made_with_ai: true }),
      ...(paidPartnership === true && { paid_partnership: true }),
    }
    const reply = await call(publishing, { path: '/2/tweets', body: { json }, timeoutMs: LONG_TIMEOUT_MS })
    return postedOf(publishing, requireId(reply, 'unknown'))
  },
  reconcile,
}

const needsSegments = (file: PublishMedia): boolean => file.kind === 'video' || file.type === 'image/gif'

/** X keeps uploads for a day; older ones are uploaded again. */
const freshMedia = (publishing: Publishing<Progress>): (MediaState | undefined)[] & MediaState[] => {
  const known = publishing.progress.media ?? []
  const isStale = known.some((state) => Date.parse(state.expiresAt) <= publishing.now().getTime())
  return isStale ? [] : [...known]
}

const DAY_SECONDS = 86_400
const expiryOf = (publishing: AccountReach, reply: NetworkReply): string => {
  const seconds = numberOf(memberOf(reply.json, 'data', 'expires_after_secs')) ?? DAY_SECONDS
  return new Date(publishing.now().getTime() + Math.min(seconds, DAY_SECONDS) * 1_000).toISOString()
}

const sendImage = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<Partial<MediaState>> => {
  const reply = await call(publishing, {
    path: '/2/media/upload',
    timeoutMs: LONG_TIMEOUT_MS,
    body: {
      multipart: [
        { name: 'media_category', value: 'tweet_image' },
        { name: 'media', filename: file.filename, type: file.type, bytes: file.read(), length: file.bytes },
      ],
    },
  })
  return { id: requireId(reply), expiresAt: expiryOf(publishing, reply), isFinal: true, isReady: true }
}

type Keep = (change: Partial<MediaState>) => Promise<MediaState>

const sendSegments = (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  known: MediaState | undefined,
  keep: Keep,
): Promise<MediaState> =>
  resume(
    known,
    async () => keep(await beginSegments(publishing, file)),
    (state) => finishSegments(publishing, file, state, keep),
  )

const finishSegments = async (
  publishing: Publishing<Progress>,
  file: PublishMedia,
  begun: MediaState,
  keep: Keep,
): Promise<MediaState> => {
  let state = begun
  const path = `/2/media/upload/${encodeURIComponent(state.id)}`
  while (!state.isFinal && state.sent * SEGMENT_BYTES < file.bytes) {
    const from = state.sent * SEGMENT_BYTES
    const to = Math.min(from + SEGMENT_BYTES, file.bytes)
    await call(publishing, {
      path: `${path}/append`,
      timeoutMs: LONG_TIMEOUT_MS,
      body: {
        multipart: [
          { name: 'segment_index', value: String(state.sent) },
          {
            name: 'media',
            filename: file.filename,
            type: 'application/octet-stream',
            bytes: file.read({ from, to }),
            length: to - from,
          },
        ],
      },
    })
    state = await keep({ sent: state.sent + 1 })
  }
  if (state.isFinal) return state
  const reply = await call(publishing, { method: 'POST', path: `${path}/finalize`, timeoutMs: LONG_TIMEOUT_MS })
  return keep({ isFinal: true, isReady: stateOf(reply) === 'succeeded' })
}

const beginSegments = async (publishing: Publishing<Progress>, file: PublishMedia): Promise<Partial<MediaState>> => {
  const json = {
    media_type: file.type,
    total_bytes: file.bytes,
    media_category: file.kind === 'video' ? 'tweet_video' : 'tweet_gif',
  }
  const reply = await call(publishing, { path: '/2/media/upload/initialize', body: { json } })
  return { id: requireId(reply), expiresAt: expiryOf(publishing, reply), sent: 0 }
}

/** An answer without a state needs no processing. */
const stateOf = (reply: NetworkReply): string => {
  const info = objectOf(memberOf(reply.json, 'data', 'processing_info'))
  if (info.state !== 'failed') return textOf(info.state) ?? 'succeeded'
  throw new NetworkFailure({
    kind: 'invalid',
    code: textOf(memberOf(info, 'error', 'name')) ?? 'PROCESSING_FAILED',
    message: textOf(memberOf(info, 'error', 'message')) ?? "X couldn't process the file",
    httpStatus: reply.status,
  })
}

const isProcessed = async (publishing: Publishing<Progress>, id: string): Promise<boolean> => {
  const query = { command: 'STATUS', media_id: id }
  return stateOf(await call(publishing, { path: '/2/media/upload', query })) === 'succeeded'
}

const describe = async (publishing: Publishing<Progress>, id: string, text: string): Promise<void> => {
  const json = { id, metadata: { alt_text: { text } } }
  await call(publishing, { path: '/2/media/metadata', body: { json } })
}

const postedOf = ({ account }: AccountReach, id: string): Posted => ({
  remoteId: id,
  url: `https://x.com/${account.handle ?? 'i'}/status/${id}`,
})

/** Every post that is read is paid for. */
const RECENT = 5

async function reconcile(publishing: Publishing<Progress>): Promise<Posted | 'not-posted' | 'unknown'> {
  const { account, outgoing } = publishing
  const reply = await call(publishing, {
    path: `/2/users/${encodeURIComponent(account.remoteId)}/tweets`,
    query: { max_results: RECENT, 'tweet.fields': 'created_at,entities,note_tweet' },
  })
  // An empty list is left out.
  const isEmpty = memberOf(reply.json, 'meta', 'result_count') === 0
  const found = findPosted(memberOf(reply.json, 'data') ?? (isEmpty ? [] : null), {
    since: outgoing.since,
    timeMember: 'created_at',
    pageSize: RECENT,
    isSame: (post) => isSamePost(outgoing.caption, post),
  })
  return typeof found === 'string' ? found : postedOf(publishing, requireText(found, 'id', 'X', 'unknown'))
}

/** X puts its own short addresses in place of all others, adds one for files, and says which are behind them. */
const isSamePost = (caption: string, post: JsonObject): boolean => {
  const long = objectOf(post.note_tweet)
  const theirs = splitUrls(decodeText(textOf(long.text) ?? textOf(post.text) ?? ''))
  const ours = splitUrls(caption)
  if (theirs.text !== ours.text) return false
  const entities = memberOf(long, 'entities', 'urls') ?? memberOf(post, 'entities', 'urls')
  if (entities === undefined) return true
  const expanded = listOf(entities).map((entity) => textOf(memberOf(entity, 'expanded_url')) ?? '')
  const links = expanded.filter((url) => !/\/(?:photo|video)\/\d+$/.test(url)).map(plainUrl)
  return JSON.stringify(links) === JSON.stringify(ours.urls)
}

const splitUrls = (text: string): { text: string; urls: string[] } => {
  const normal = text.normalize('NFC')
  const urls: string[] = []
  let kept = ''
  let at = 0
  for (const url of captionUrls(normal)) {
    kept += normal.slice(at, url.start)
    urls.push(plainUrl(normal.slice(url.start, url.end)))
    at = url.end
  }
  return { text: (kept + normal.slice(at)).replace(/\s+/g, ' ').trim(), urls }
}

const plainUrl = (url: string): string =>
  url
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase()

const decodeText = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
