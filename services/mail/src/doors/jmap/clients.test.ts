import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAppPassword } from '../../hosting/addresses/app-passwords.ts'
import type { Answer } from './testing/client.ts'
import { type JmapGround, startJmap } from './testing/ground.ts'

let ground: JmapGround
before(async () => {
  ground = await startJmap()
})
after(() => ground.close())

/** As much of the client as is used here. Its own types are sources that our compiler does not take. */
type Jam = {
  getPrimaryAccount(): Promise<string>
  requestMany(build: (each: Answer) => Record<string, unknown>): Promise<[Answer]>
  uploadBlob(accountId: string, blob: Blob): Promise<Answer>
  downloadBlob(options: Record<string, string>): Promise<Response>
  api: Answer
}
const PACKAGE: string = 'jmap-jam'
const { JamClient }: { JamClient: new (options: Record<string, string>) => Jam } = await import(PACKAGE)

const open = async (): Promise<Jam> => {
  const { ann, parts } = ground
  const { token } = await parts.database.tx((tx) =>
    createAppPassword(tx, { ...ann.address, addressId: ann.accountId, name: 'jam', now: new Date() }),
  )
  return new JamClient({ sessionUrl: `${ground.url}/.well-known/jmap`, bearerToken: token.reveal() })
}

test('jmap-jam finds its account, and reads a list with references', async () => {
  const { ann } = ground
  const { messageId } = await ground.add(ann, { subject: 'Hello jam' })
  const jam = await open()
  const accountId = await jam.getPrimaryAccount()
  assert.equal(accountId, ann.accountId)
  const [{ emails }] = await jam.requestMany((each) => {
    const found = each.Email.query({ accountId, filter: { inMailbox: ann.folders.inbox }, limit: 50 })
    const emails = each.Email.get({ accountId, ids: found.$ref('/ids'), properties: ['id', 'subject', 'from'] })
    return { found, emails }
  })
  assert.deepEqual(
    emails.list.map(({ id, subject }: Answer) => ({ id, subject })),
    [{ id: messageId, subject: 'Hello jam' }],
  )
})

test('jmap-jam uploads, downloads and makes mailboxes', async () => {
  const jam = await open()
  const accountId = await jam.getPrimaryAccount()
  const blob = await jam.uploadBlob(accountId, new Blob(['from jam'], { type: 'text/plain' }))
  assert.deepEqual([blob.type, blob.size], ['text/plain', 8])
  const answer = await jam.downloadBlob({ accountId, blobId: blob.blobId, mimeType: 'text/plain', fileName: 'jam.txt' })
  assert.equal(await answer.text(), 'from jam')
  const [made] = await jam.api.Mailbox.set({ accountId, create: { a: { name: 'Jam', parentId: null } } })
  const id = made.created?.a?.id ?? ''
  const [got] = await jam.api.Mailbox.get({ accountId, ids: [id] })
  assert.equal(got.list[0]?.name, 'Jam')
})
