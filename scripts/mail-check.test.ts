import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { blobPath } from '@stoa/kit/blobs/blobs.ts'
import { getWholeMessage } from '@stoa/mail/store/messages/list.ts'
import { type StoreGround, startStore } from '@stoa/mail/store/testing/ground.ts'
import { bareEnvironment } from '@stoa/tests/lib/bare-environment.ts'
import { readCheckCommand } from './mail-check.ts'
import { runMailCommand } from './mail-command.ts'

let store: StoreGround
before(async () => {
  store = await startStore()
})
after(() => store.close())

const settings = (): Record<string, string> => ({
  NODE_ENV: 'test',
  SECRET: 'a secret of the tests, long enough for anyone',
  MAIL_DATABASE_URL: store.url,
  // Messages are in the folder `mail` of it.
  STORAGE_DRIVER: 'local',
  STORAGE_LOCAL_DIR: join(store.blobFolder, '..'),
})

const check = async (...args: string[]): Promise<{ code: number; output: string }> => {
  const lines: string[] = []
  const print = (text: string): void => void lines.push(text)
  const code = await runMailCommand(readCheckCommand, { args, env: settings(), print })
  return { code, output: lines.join('') }
}

/** The same in a process of its own, as `npm run` starts it. */
const checkAsProgram = async (...args: string[]): Promise<{ code: number; output: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'mail-check.ts'), ...args], {
    env: { ...bareEnvironment(), ...settings() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, problems, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: Number(code), output: output + problems }
}

test('a consistent store is reported as such; damage is reported, and repaired on request', async () => {
  const mailbox = await store.mailbox()
  await store.add(mailbox)
  assert.deepEqual(await check(), { code: 0, output: 'The mailbox is consistent.\n' })
  await store.database.pool.query('update folder set total = total + 3 where id = $1', [mailbox.folders.inbox])
  const found = await checkAsProgram()
  assert.equal(found.code, 1)
  assert.match(found.output, /@example\.test:\n {2}failed: folder counts are correct \(folder .* has 4\//)
  const repaired = await check('--repair')
  assert.equal(repaired.code, 0, repaired.output)
  assert.match(repaired.output, /1 mailboxes repaired/)
  assert.equal((await check()).code, 0)
})

test('missing bytes are reported and cannot be repaired', async () => {
  const mailbox = await store.mailbox()
  const { messageId } = await store.add(mailbox)
  const { blobKey } = await getWholeMessage(store.database.db, mailbox.addressId, messageId)
  assert.equal((await check('--bytes')).code, 0)
  await rm(join(store.blobFolder, blobPath(blobKey)))
  const found = await check('--bytes', '--repair')
  assert.equal(found.code, 1)
  assert.match(found.output, new RegExp(`message ${messageId}: blob ${blobKey} is missing`))
})

test('an option that is not known is refused', async () => {
  const { code, output } = await checkAsProgram('--everything')
  assert.equal(code, 1)
  assert.match(output, /Usage: npm run mail:check/)
})
