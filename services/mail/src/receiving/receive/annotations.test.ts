import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listFolders } from '../../store/folders/folders.ts'
import { setMetadata } from '../../store/mailbox/metadata.ts'
import { plainMessage, type ReceiveGround, startReceiving } from './testing/ground.ts'

let ground: ReceiveGround
before(async () => {
  ground = await startReceiving()
})
after(() => ground.close())

test('filters know what was noted about folders and the server', async () => {
  const address = await ground.address('notes@ours.test')
  await ground.script(
    address,
    `require ["mboxmetadata", "servermetadata", "imap4flags"];
     if metadata "INBOX" "/Private/Comment" "mine" { addflag "folder"; }
     if servermetadata "/private/plan" "on" { addflag "server"; }
     if metadataexists "INBOX" "/private/other" { addflag "wrong"; }
     if metadata "Nowhere" "/private/comment" "mine" { addflag "wrong"; }
     keep;`,
  )
  const inbox = (await listFolders(ground.database.db, address.id)).find(({ role }) => role === 'inbox')
  const note = (folderId: string | null, name: string, value: string) =>
    setMetadata(
      ground.database,
      { addressId: address.id, folderId, viewerId: null },
      new Map([[name, Buffer.from(value)]]),
    )
  await note(inbox?.id ?? null, '/private/comment', 'mine')
  await note(null, '/private/plan', 'on')
  await ground.send({ to: 'notes@ours.test', message: plainMessage() })
  const [mail] = await ground.mails(address)
  assert.deepEqual(mail?.keywords, ['folder', 'server'])
})
