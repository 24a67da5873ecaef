import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { PlantedAddress } from '../../hosting/addresses/testing/hosting.ts'
import { changeKeywords } from '../../store/messages/keywords.ts'
import { MAX_ANNOUNCED } from './announcements.ts'
import type { ImapClient } from './testing/client.ts'
import { type ImapGround, startImapGround } from './testing/ground.ts'

let ground: ImapGround
before(async () => {
  ground = await startImapGround()
})
after(() => ground.close())

const flag = (address: PlantedAddress, messageId: string, add: readonly string[]) =>
  ground.database.tx((tx) => changeKeywords(tx, { addressId: address.id, messageIds: [messageId], add: [...add] }))

/** What a client may believe after each line: keywords that were not announced fail. */
const follow = (lines: readonly string[]): { flags: Set<string>; permanent: Set<string>; shown: Set<string> } => {
  let flags = new Set<string>()
  let permanent = new Set<string>()
  const shown = new Set<string>()
  for (const line of lines) {
    const words = /\(([^()]*)\)/.exec(line.slice(line.lastIndexOf('FLAGS')))?.[1]?.split(' ') ?? []
    if (line.startsWith('* FLAGS ')) flags = new Set(words)
    else if (line.startsWith('* OK [PERMANENTFLAGS ')) permanent = new Set(words)
    else if (/^\* \d+ FETCH [\s\S]*FLAGS \(/.test(line))
      for (const word of words.filter((each) => each !== '' && each !== '\\Recent')) {
        assert.ok(flags.has(word), `${word} is not in FLAGS yet`)
        assert.ok(permanent.size === 0 || permanent.has(word), `${word} is not in PERMANENTFLAGS yet`)
        shown.add(word)
      }
  }
  return { flags, permanent, shown }
}

describe('a keyword is in FLAGS and PERMANENTFLAGS before a FETCH shows it', () => {
  const withMail = async (
    keywords: string[] = [],
  ): Promise<{ address: PlantedAddress; id: string; client: ImapClient }> => {
    const address = await ground.address()
    const { messageId } = await ground.add(address, { keywords })
    return { address, id: messageId, client: await ground.signIn(address) }
  }

  test('when it was there before, and when the client sets it', async () => {
    const { client } = await withMail(['before'])
    const lines = await client.ok('select inbox')
    lines.push(...(await client.ok('fetch 1 (flags body.peek[])')))
    lines.push(...(await client.ok('store 1 +flags (mine)')))
    lines.push(...(await client.ok('fetch 1 body[]')))
    assert.deepEqual(follow(lines).shown, new Set(['before', 'mine', '\\Seen']))
  })

  for (const command of ['noop', 'idle', 'uid fetch 1 flags'])
    test(`when somebody else sets it, reported by ${command}`, async () => {
      const { address, id, client } = await withMail()
      const lines = await client.ok('select inbox')
      await flag(address, id, ['theirs', '$label1'])
      if (command === 'idle') {
        client.write('i idle\r\n')
        while (!/ FETCH /.test(lines.at(-1) ?? '')) lines.push((await client.response()) ?? '')
      } else lines.push(...(await client.ok(command)))
      assert.deepEqual(follow(lines).shown, new Set(['theirs', '$label1']))
    })

  test('when a client comes back with QRESYNC, and in what NOTIFY sends of new mail', async () => {
    const { address, id, client } = await withMail()
    await client.ok('enable qresync')
    const first = await client.ok('select inbox')
    const [validity] = /(?<=UIDVALIDITY )\d+/.exec(first.join()) ?? []
    const [modseq] = /(?<=HIGHESTMODSEQ )\d+/.exec(first.join()) ?? []
    await client.ok('unselect')
    await flag(address, id, ['theirs'])
    const lines = await client.ok(`select inbox (qresync (${validity} ${modseq}))`)
    lines.push(...(await client.ok('notify set (selected (messagenew (flags) messageexpunge flagchange))')))
    await ground.add(address, { keywords: ['fresh'] })
    while (!/\* 2 FETCH /.test(lines.at(-1) ?? '')) lines.push((await client.response()) ?? '')
    assert.deepEqual(follow(lines).shown, new Set(['theirs', 'fresh']))
  })

  test('to whom only looks: none can be kept', async () => {
    const { client } = await withMail(['before'])
    const lines = await client.ok('examine inbox')
    lines.push(...(await client.ok('fetch 1 flags')))
    assert.deepEqual(
      lines.filter((line) => line.includes('PERMANENTFLAGS')).map((line) => line.slice(0, 25)),
      ['* OK [PERMANENTFLAGS ()] '],
    )
    assert.ok(lines.includes('* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft before)'))
  })

  test('however many there are', async () => {
    const { address, client } = await withMail()
    const perMail = 50
    const mails = MAX_ANNOUNCED / perMail + 3
    for (let mail = 0; mail < mails; mail += 1)
      await ground.add(address, { keywords: Array.from({ length: perMail }, (_, n) => `k${mail}-${n}`) })
    const lines = await client.ok('select inbox')
    lines.push(...(await client.ok('fetch 1:* (flags body.peek[header.fields (subject)])')))
    assert.equal(follow(lines).shown.size, mails * perMail)
    assert.ok(
      lines.filter((line) => line.startsWith('* FLAGS ')).every((line) => line.split(' ').length <= MAX_ANNOUNCED + 7),
    )
  })
})
