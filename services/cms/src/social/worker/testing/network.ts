import { type FakeNetwork, type FakeReply, jsonOf, type LivePost } from '@stoa/tests/lib/social/fake-network.ts'
import type { NetworkReply } from '../../networks/http/http.ts'
import { defineNetwork, type Limits, type Network, type Publishing } from '../../networks/network.ts'
import { NetworkFailure } from '../../networks/networks.ts'

type State = { uploads?: string[] }
type Step = Publishing<State>

const limits: Limits = {
  captionMax: 100,
  captionCount: 'utf16',
  textOnly: true,
  imagesMax: 4,
  imageTypes: ['image/jpeg'],
  imageMaxBytes: 1_000_000,
  videoTypes: ['video/mp4'],
  videoMaxBytes: 50_000_000,
  videoSeconds: [1, 60],
  altText: { image: true, video: false, max: 200 },
  image: { delivery: 'upload', maxWidth: 1_000, aspect: [0.8, 2] },
  videoDelivery: 'upload',
  link: 'caption',
}

/** The network's own words and codes become a failure. */
const checked = ({ status, json, headers }: NetworkReply): Record<string, unknown> => {
  const body = (json ?? {}) as { error?: { code?: string; message?: string; retryAt?: string; app?: boolean } }
  if (status < 300) return body as Record<string, unknown>
  const after = headers.get('retry-after')
  throw new NetworkFailure({
    kind:
      status === 429
        ? 'rate'
        : status === 401
          ? 'auth'
          : status >= 500
            ? 'transient'
            : body.error?.code === 'duplicate'
              ? 'duplicate'
              : 'invalid',
    code: body.error?.code ?? String(status),
    message: body.error?.message ?? `Status ${status}`,
    httpStatus: status,
    ...(after !== null && { retryAt: new Date(after) }),
    ...(body.error?.app && { pauses: 'app' as const }),
  })
}

/** A network for tests of what is the same for all of them. */
export const testNetwork = (members: Partial<Omit<Network, 'limits'>> & { limits?: Partial<Limits> } = {}): Network =>
  defineNetwork<State>({
    label: 'Demo',
    oauth: {
      endpoints: { authorizeUrl: '', tokenUrl: '', apiBase: '', uploadBase: '', apiVersion: '', scopes: [] },
      scopeSeparator: ' ',
      pkce: false,
      hasEnvironment: false,
    },
    options: [
      { key: 'mood', type: 'select', label: 'Mood', values: [{ value: 'good', label: 'Good' }] },
      { key: 'comment', type: 'text', label: 'First comment', max: 20 },
    ],
    walkthrough: { consoleUrl: null, checkedOn: '2026-01-01', leadTime: '', steps: [] },
    unverified: [],
    connect: async () => [],
    publisher: {
      async upload({ http, endpoints, accessToken, outgoing, progress, save }: Step) {
        const uploads = [...(progress.uploads ?? [])]
        for (const media of outgoing.media.slice(uploads.length)) {
          const body = {
            multipart: [
              { name: 'alt', value: media.alt },
              { name: 'file', filename: media.filename, type: media.type, bytes: media.read(), length: media.bytes },
            ],
          }
          const answer = checked(
            await http({ url: `${endpoints.apiBase}/upload`, authorization: bearer(accessToken), body }),
          )
          uploads.push(String(answer.id))
          await save({ uploads })
        }
      },
      async wait({ http, endpoints, accessToken, progress }: Step) {
        for (const id of progress.uploads ?? []) {
          const answer = checked(
            await http({ url: `${endpoints.apiBase}/upload/${id}`, authorization: bearer(accessToken) }),
          )
          if (answer.state !== 'ready') return 'processing'
        }
        return 'ready'
      },
      async commit({ http, endpoints, accessToken, outgoing, progress }: Step) {
        const body = { json: { text: outgoing.caption, media: progress.uploads ?? [], key: outgoing.idempotencyKey } }
        const answer = checked(
          await http({ url: `${endpoints.apiBase}/posts`, authorization: bearer(accessToken), body }),
        )
        return { remoteId: String(answer.id), url: String(answer.url) }
      },
      async reconcile({ http, endpoints, accessToken, outgoing }: Step) {
        const answer = checked(await http({ url: `${endpoints.apiBase}/posts`, authorization: bearer(accessToken) }))
        const items = answer.items as { id: string; url: string; key: string }[]
        const found = items.find(({ key }) => key === outgoing.idempotencyKey)
        return found ? { remoteId: found.id, url: found.url } : 'not-posted'
      },
      async confirm({ http, endpoints, accessToken, outgoing }: Step, posted) {
        const { comment } = outgoing.options
        if (typeof comment === 'string')
          checked(
            await http({
              url: `${endpoints.apiBase}/comments`,
              authorization: bearer(accessToken),
              body: { json: { post: posted.remoteId, comment } },
            }),
          )
        return { url: null, warnings: [] }
      },
    },
    ...members,
    limits: { ...limits, ...members.limits },
  })

const bearer = (value: Step['accessToken']) => ({ scheme: 'Bearer' as const, value })

/** Its strict server: a bearer token, JSON, uploads that exist. It does not recognise what it got before. */
export const fakeNetwork = (): FakeNetwork & { processing: { left: number } } => {
  const posts: (LivePost & { key: string; url: string })[] = []
  const uploads = new Map<string, { type: string; bytes: number }>()
  const processing = { left: 0 }
  const refused = (status: number, code: string): FakeReply => ({ status, body: { error: { code, message: code } } })
  const withToken =
    (answer: (call: Parameters<FakeNetwork['routes'][number]['answer']>[0]) => FakeReply) =>
    (call: Parameters<FakeNetwork['routes'][number]['answer']>[0]) =>
      /^Bearer \w+$/.test(call.headers.authorization ?? '') ? answer(call) : refused(401, 'token')
  return {
    processing,
    overrides: { authorizeUrl: '/authorize', tokenUrl: '/token', apiBase: '' },
    posts: () => posts,
    routes: [
      {
        call: 'upload',
        method: 'POST',
        path: '/upload',
        answer: withToken((call) => {
          const id = `u${uploads.size + 1}`
          uploads.set(id, { type: String(call.headers['content-type']), bytes: call.body.length })
          return { body: { id } }
        }),
      },
      {
        call: 'status',
        method: 'GET',
        path: '/upload/:id',
        answer: withToken(({ params }) => {
          if (!uploads.has(params.id ?? '')) return refused(404, 'no_upload')
          processing.left -= 1
          return { body: { state: processing.left >= 0 ? 'processing' : 'ready' } }
        }),
      },
      {
        call: 'commit',
        method: 'POST',
        path: '/posts',
        answer: withToken((call) => {
          const { text, media, key } = jsonOf(call) as { text: string; media: string[]; key: string }
          if (media.some((id) => !uploads.has(id))) return refused(400, 'no_upload')
          const id = `p${posts.length + 1}`
          const post = {
            id,
            account: String(call.headers.authorization),
            text,
            media,
            key,
            url: `https://demo.test/${id}`,
          }
          posts.push(post)
          return { body: { id, url: post.url } }
        }),
      },
      {
        call: 'list',
        method: 'GET',
        path: '/posts',
        answer: withToken(() => ({ body: { items: posts.map(({ id, url, key }) => ({ id, url, key })) } })),
      },
      {
        call: 'comment',
        method: 'POST',
        path: '/comments',
        answer: withToken((call) => ({ body: { id: String(jsonOf(call).post) } })),
      },
    ],
  }
}
