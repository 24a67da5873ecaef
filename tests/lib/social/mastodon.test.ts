import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startFakeNetworks } from './fake-networks.ts'
import { createFakeMastodon } from './mastodon.ts'

/** Members by https://docs.joinmastodon.org/entities, as far as this fake may answer with them. */
const DOCUMENTED: Record<string, Record<string, string>> = {
  Token: { access_token: 'string', token_type: 'string', scope: 'string', created_at: 'number' },
  CredentialAccount: {
    id: 'string',
    username: 'string',
    acct: 'string',
    display_name: 'string',
    url: 'string',
    avatar: 'string',
    avatar_static: 'string',
  },
  MediaAttachment: { id: 'string', type: 'string', url: 'string', description: 'string' },
  ProcessingMediaAttachment: { id: 'string', type: 'string', url: 'null', description: 'null' },
  Status: {
    id: 'string',
    uri: 'string',
    url: 'string',
    created_at: 'string',
    content: 'string',
    visibility: 'string',
    spoiler_text: 'string',
    media_attachments: 'list',
    account: 'object',
  },
  Error: { error: 'string' },
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)
const isLike = (body: Record<string, unknown>, entity: string) =>
  assert.deepEqual(
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeOf(value)])),
    DOCUMENTED[entity],
    entity,
  )

let fakes: Awaited<ReturnType<typeof startFakeNetworks>>
let token = ''
const ask = async (method: string, path: string, body?: FormData | object, headers: Record<string, string> = {}) => {
  const isForm = body instanceof FormData
  const response = await fetch(`${fakes.url}/fake/mastodon${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) }
}
const fileOf = (type: string, description?: string) => {
  const form = new FormData()
  if (description) form.set('description', description)
  form.set('file', new Blob(['bytes'], { type }), 'file')
  return form
}
before(async () => {
  fakes = await startFakeNetworks({ mastodon: createFakeMastodon() })
  const { authorizeUrl, tokenUrl } = fakes.overrides('mastodon')
  const app = fakes.app('mastodon')
  const redirect_uri = 'https://site.example/back'
  const asked = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri,
    state: 's',
    scope: 'profile write:media write:statuses',
  }
  const back = new URL(await fakes.consent(`${authorizeUrl}?${new URLSearchParams(asked)}`))
  const response = await fetch(tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code') ?? '',
      client_id: app.clientId,
      client_secret: app.clientSecret,
      redirect_uri,
    }),
  })
  const answer = await response.json()
  isLike(answer, 'Token')
  token = answer.access_token
})
after(() => fakes.close())

describe('the fake of Mastodon answers as the published documents say', () => {
  test('to verify_credentials', async () => {
    isLike((await ask('GET', '/api/v1/accounts/verify_credentials')).body, 'CredentialAccount')
  })

  test('to pictures at once, to videos with 202 and then 206 until they are processed', async () => {
    const picture = await ask('POST', '/api/v2/media', fileOf('image/jpeg', 'A harbour'))
    assert.equal(picture.status, 200)
    isLike(picture.body, 'MediaAttachment')
    const video = await ask('POST', '/api/v2/media', fileOf('video/mp4'))
    assert.equal(video.status, 202)
    isLike(video.body, 'ProcessingMediaAttachment')
    assert.deepEqual(await ask('GET', `/api/v1/media/${video.body.id}`), { status: 206, body: {} })
  })

  test('to a post, and with the same one to the same key', async () => {
    const headers = { 'idempotency-key': 'one' }
    const first = await ask('POST', '/api/v1/statuses', { status: 'Hello' }, headers)
    isLike(first.body, 'Status')
    assert.deepEqual(await ask('POST', '/api/v1/statuses', { status: 'Hello' }, headers), first)
  })

  test('to what it refuses', async () => {
    const answers = [
      [
        401,
        await ask('GET', '/api/v1/media/1', undefined, { authorization: 'Bearer nothing' }),
        'The access token is invalid',
      ],
      [404, await ask('GET', '/api/v1/media/nothing'), 'Record not found'],
      [
        422,
        await ask('POST', '/api/v2/media', fileOf('text/plain')),
        'Validation failed: File content type is invalid, File is invalid',
      ],
      [422, await ask('POST', '/api/v1/statuses', { status: '' }), "Validation failed: Text can't be blank"],
    ] as const
    for (const [status, answer, words] of answers) {
      assert.deepEqual([answer.status, answer.body.error], [status, words])
      isLike(answer.body, 'Error')
    }
  })
})
